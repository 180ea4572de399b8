/**
 * For SQL of one's own, on one's own tables or, for tools, on the component's: rows, and ids as the driver and the database
 * agree on them. Nobody needs it to send or to consume.
 */
export { asNumber, byId, changeRows, selectRows, type Runner } from './database/rows.js';
export { firstIdAt } from './maintenance/snowflake.js';
