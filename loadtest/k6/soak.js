import { countBooks, placeOrder, scenario } from './lib/scenario.js';

export const { options, setup, handleSummary } = scenario('soak');
export default placeOrder;
export const teardown = countBooks;
