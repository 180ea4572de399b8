import { countBooks, placeOrder, scenario } from './lib/scenario.js';

export const { options, setup, handleSummary } = scenario('ramp');
export default placeOrder;
export const teardown = countBooks;
