import { readTrace, withoutTrace, writeTrace } from './trace-context.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';
const TRACEPARENT = `00-${TRACE_ID}-${SPAN_ID}-01`;

describe('a trace in headers', () => {
  it.each([
    [{ traceparent: TRACEPARENT }, 1],
    [{ Traceparent: `00-${TRACE_ID}-${SPAN_ID}-00` }, 0],
    [{ other: 1, traceparent: `01-${TRACE_ID}-${SPAN_ID}-03-what-comes-later` }, 3],
  ])('when headers are %j, then it is read', (headers, traceFlags) => {
    expect(readTrace(headers)).toEqual({ traceId: TRACE_ID, spanId: SPAN_ID, traceFlags, isRemote: true });
  });

  it.each([
    [{}],
    [{ traceparent: '' }],
    [{ traceparent: '00-1-1-01' }],
    [{ traceparent: `${TRACEPARENT}-more` }],
    [{ traceparent: TRACEPARENT.toUpperCase() }],
    [{ traceparent: ` ${TRACEPARENT}` }],
    [{ traceparent: `ff-${TRACE_ID}-${SPAN_ID}-01` }],
    [{ traceparent: `00-${'0'.repeat(32)}-${SPAN_ID}-01` }],
    [{ traceparent: `00-${TRACE_ID}-${'0'.repeat(16)}-01` }],
    [{ traceparent: 7 }],
    [{ traceparent: [TRACEPARENT] }],
    [{ traceparent: null }],
  ])('when headers are %j, then there is none', (headers) => {
    expect(readTrace(headers)).toBeNull();
  });

  it('when it is read and written, then it is the same, with its state', () => {
    const headers = { traceparent: TRACEPARENT, tracestate: 'a=1,b=2' };
    const read = readTrace(headers);
    expect(read && writeTrace(read)).toEqual(headers);
  });

  it('when its state cannot be read, then it is left out', () => {
    const read = readTrace({ traceparent: TRACEPARENT, tracestate: 'not a state' });
    expect(read && writeTrace(read)).toEqual({ traceparent: TRACEPARENT });
  });

  it('when it is taken out, then in whatever case it was written', () => {
    expect(withoutTrace({ TraceParent: 'x', tracestate: 'y', 'x-trace': 'z' })).toEqual({ 'x-trace': 'z' });
  });
});
