import { databaseSuite } from '../testing/database-suite.js';

describe('a database server in a container keeps what was committed', () => databaseSuite({ backend: 'containers' }));
