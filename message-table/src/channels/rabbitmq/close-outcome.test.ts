import { outcomeAlone, outcomeInCompany } from './close-outcome.js';
import { closeReason } from './close-reason.js';

const closedBy = (code: number, name: string, text: string): ReturnType<typeof closeReason> =>
  closeReason(Object.assign(new Error(`Channel closed by server: ${code} (${name}) with message "${text}"`), { code }));

describe('Who is to blame when the broker closes', () => {
  it('when it is an operator, an accident of its own or a lost socket, then nobody', () => {
    for (const reason of [
      closedBy(320, 'CONNECTION-FORCED', 'CONNECTION_FORCED - Closed via management plugin'),
      closedBy(541, 'INTERNAL-ERROR', 'INTERNAL_ERROR'),
      closeReason(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })),
      closeReason(new Error('Heartbeat timeout')),
    ]) {
      expect(outcomeInCompany(reason)).toEqual({ kind: 'unknown', reason: reason.text, suspect: false });
      expect(outcomeAlone(reason)).toEqual({ kind: 'unknown', reason: reason.text, suspect: false });
    }
  });

  it('when it has a reason of its own, then each in company is suspect and one alone is refused', () => {
    const reason = closedBy(404, 'NOT-FOUND', "NOT_FOUND - no exchange 'x'");
    expect(outcomeInCompany(reason)).toEqual({
      kind: 'unknown',
      reason: "404 NOT_FOUND - no exchange 'x'",
      suspect: true,
    });
    expect(outcomeAlone(reason)).toEqual({
      kind: 'refused',
      reason: "404 NOT_FOUND - no exchange 'x'",
      permanent: false,
    });
  });

  it('when it is about the bytes, then one alone is refused for good', () => {
    const large = closedBy(
      406,
      'PRECONDITION-FAILED',
      'PRECONDITION_FAILED - message size 2 is larger than configured max size 1',
    );
    expect(outcomeAlone(large)).toMatchObject({ kind: 'refused', permanent: true });
    expect(outcomeAlone(closedBy(501, 'FRAME-ERROR', 'FRAME_ERROR'))).toMatchObject({ permanent: true });
  });
});
