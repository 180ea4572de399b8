import { countBooks, placeOrder, scenario } from './lib/scenario.js';

export const { options, setup, handleSummary } = scenario('backlog');
export default placeOrder;
export const teardown = countBooks;
