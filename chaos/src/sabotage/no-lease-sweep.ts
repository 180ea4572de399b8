/** Removes: the sweep. What a dead sender held stays SENDING. */
import { replace } from './replace.js';

replace(
  'message-table/producer/store/sweep',
  'sweepProducerLeases',
  () => () => Promise.resolve({ released: 0, failed: 0 }),
);
