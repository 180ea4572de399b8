import { brokerSuite } from '../testing/broker-suite.js';

describe('a broker in a container keeps what was confirmed', () => brokerSuite({ backend: 'containers' }));
