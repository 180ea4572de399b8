/** Something the person at the keyboard can mend: shown without a stack. */
export class SetUpError extends Error {
  name = 'SetUpError';
}
