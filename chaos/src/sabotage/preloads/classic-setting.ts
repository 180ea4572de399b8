/** Set in the environment of every process where queues are to be of another type. */
export const QUEUE_TYPE = 'CHAOS_QUEUE_TYPE';
