import { brokerSuite } from '../testing/broker-suite.js';

describe('a broker keeps what was confirmed', () => brokerSuite({ backend: 'native' }));
