export { aReceived, ConsumerWorld, QueueWorld, RETRY, type NoteRow } from './consumer-world.js';
export { eventually } from './eventually.js';
export { freshDatabase, type FreshDatabase } from './fresh-database.js';
export { ScriptedChannel } from './scripted-channel.js';
export { ScriptedEffect } from './scripted-effect.js';
export { aCommand, TableWorld } from './table-world.js';
export { StatementProxy, type Fate } from './statement-proxy.js';
export { TcpProxy } from './tcp-proxy.js';
