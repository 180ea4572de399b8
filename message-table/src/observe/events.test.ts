import { createEvents } from './events.js';

const SETTLED = { via: 'relay', to: 'SENT', count: 1 } as const;

describe('who listens cannot break what is listened to', () => {
  it('when a listener throws, then whoever told the event goes on, and the error is reported', () => {
    const events = createEvents();
    const reported: string[] = [];
    events.on('loopFailed', ({ loop, error }) => reported.push(`${loop}: ${error.message}`));
    events.on('settled', () => {
      throw new Error('a dashboard is broken');
    });
    expect(() => events.emit('settled', SETTLED)).not.toThrow();
    expect(reported).toEqual(['listener of settled: a dashboard is broken']);
  });

  it('when a listener throws, then the others are told as well', () => {
    const events = createEvents();
    let told = 0;
    events.on('settled', () => {
      throw new Error('a dashboard is broken');
    });
    events.on('settled', ({ count }) => (told += count));
    events.once('settled', ({ count }) => (told += count));
    events.emit('settled', SETTLED);
    events.emit('settled', SETTLED);
    expect(told).toBe(3);
  });

  it('when whoever reports errors throws itself, then there is no end without end', () => {
    const events = createEvents();
    events.on('loopFailed', () => {
      throw new Error('no log');
    });
    expect(() => events.emit('loopFailed', { loop: 'l', error: new Error('first') })).not.toThrow();
  });
});
