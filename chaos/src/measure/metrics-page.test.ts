import { sumOf, valuesOf } from './metrics-page.js';

const PAGE = `# TYPE counterfoil_messages_settled_total counter
counterfoil_messages_settled_total{via="relay",to="SENT"} 4
counterfoil_messages_settled_total{via="fast-path",to="SENT"} 120
counterfoil_messages_settled_total_other 9
counterfoil_claims_empty_total 7
`;

describe('a metrics page', () => {
  it('when a metric has labels, then those that are asked for are summed', () => {
    expect(sumOf(PAGE, 'counterfoil_messages_settled_total', 'to="SENT"')).toBe(124);
    expect(sumOf(PAGE, 'counterfoil_messages_settled_total', 'via="relay"')).toBe(4);
  });

  it('when a metric has none, or is not there, then its value or nothing is found', () => {
    expect(valuesOf(PAGE, 'counterfoil_claims_empty_total')).toEqual([{ labels: '', value: 7 }]);
    expect(sumOf(PAGE, 'counterfoil_nothing')).toBe(0);
  });
});
