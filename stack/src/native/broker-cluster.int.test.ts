import { clusterSuite } from '../testing/cluster-suite.js';

describe('a broker of three nodes outlives each of them', () => clusterSuite({ backend: 'native' }));
