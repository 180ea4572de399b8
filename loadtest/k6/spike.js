import { countBooks, placeOrder, scenario } from './lib/scenario.js';

export const { options, setup, handleSummary } = scenario('spike');
export default placeOrder;
export const teardown = countBooks;
