import { clusterSuite } from '../testing/cluster-suite.js';

describe('a broker of three containers outlives each of them', () => clusterSuite({ backend: 'containers' }));
