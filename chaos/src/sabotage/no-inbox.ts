/** Removes: the inbox. Nobody notes which messages took effect, so every copy takes effect again. */
import { replace } from './replace.js';

replace('message-table/consumer/store/notes', 'findKnown', () => () => Promise.resolve(new Map()));
replace('message-table/consumer/store/notes', 'insertSuccess', () => () => Promise.resolve());
