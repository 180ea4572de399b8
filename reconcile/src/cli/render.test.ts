import { jsonListing, textListing, type Listed } from './render.js';

const LOST: Listed = {
  ...{ kind: 'not-received', route: 'deduction', orderId: '7', messageId: 'm7', detail: 'SENT', repaired: 'done' },
};
const LOOKED = { orders: 2, deductions: 2, deductionNotes: 1, decisions: 1, decisionNotes: 1 };

const written = (make: typeof textListing, use: (listing: ReturnType<typeof textListing>) => void): string => {
  let text = '';
  use(
    make((more) => {
      text += more;
    }),
  );
  return text;
};

describe('the list of differences', () => {
  it('when a kind comes for the first time, then it says what it means and what to do, once', () => {
    const text = written(textListing, (listing) => {
      listing.add(LOST);
      listing.add({ ...LOST, orderId: '8', messageId: 'm8', repaired: null });
      listing.end({ looked: LOOKED, inFlightMs: 60_000 }, null);
    });
    expect(text.match(/what to do: replay/g)).toHaveLength(1);
    expect(text).toContain('not-received  order 7  deduction m7  SENT  → done');
    expect(text).toContain('Differences: not-received 2');
    expect(text).toContain('Looked at 2 orders');
  });

  it('when it is for programs, then it is one document, also when there is no difference and when it could not be told', () => {
    const full = written(jsonListing, (listing) => {
      listing.add(LOST);
      listing.add({ ...LOST, messageId: 'm8' });
      listing.end({ looked: LOOKED, inFlightMs: 0 }, null);
    });
    expect(JSON.parse(full)).toMatchObject({
      differences: [{ kind: 'not-received', messageId: 'm7', remedy: 'replay' }, { messageId: 'm8' }],
      counts: { 'not-received': 2 },
      looked: LOOKED,
      error: null,
    });
    expect(
      JSON.parse(written(jsonListing, (listing) => listing.end({ looked: LOOKED, inFlightMs: 0 }, null))),
    ).toMatchObject({ differences: [], counts: {} });
    expect(JSON.parse(written(jsonListing, (listing) => listing.end(null, 'ECONNREFUSED')))).toMatchObject({
      looked: null,
      error: 'ECONNREFUSED',
    });
  });
});
