/** Where inventory-service takes a deduction over HTTP, with `Idempotency-Key: <message id>`. */
export const DEDUCTIONS_PATH = '/deductions';
