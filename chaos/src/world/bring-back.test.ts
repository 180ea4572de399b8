import { bringServersBack, bringServicesBack } from './bring-back.js';

const one = (name: string, start: () => Promise<void>, runs = false) => {
  const asked: string[] = [];
  return {
    name,
    asked,
    isRunning: () => runs,
    resume: () => Promise.resolve(void asked.push('resume')),
    start: () => (asked.push('start'), start()),
  };
};
const starts = (): Promise<void> => Promise.resolve();
const fails = (): Promise<void> => Promise.reject(new Error('ended before it was ready (exit code 1).\nIts log'));

describe('what a fault left dead or halted', () => {
  it('when it is dead, then it is started; when it runs, then it goes on', async () => {
    const [dead, halted] = [one('relay-1', starts), one('relay-2', starts, true)];
    expect([...(await bringServicesBack([dead, halted]))]).toEqual([]);
    expect([dead.asked, halted.asked]).toEqual([['start'], ['resume']]);
  });

  it('when a service does not start again, then that is told, and the others are brought back all the same', async () => {
    const [broken, after] = [one('order-service-1', fails), one('relay-1', starts)];
    const lost = await bringServicesBack([broken, after]);
    expect([...lost]).toEqual([['order-service-1', 'Error: ended before it was ready (exit code 1).']]);
    expect(after.asked).toEqual(['start']);
  });

  it('when a server does not, then nothing can be told of the run', async () => {
    await expect(bringServersBack([one('order-db', fails)])).rejects.toThrow('ended before');
  });
});
