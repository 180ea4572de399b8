import { findBelow, processTable } from './process-table.js';

const row = (pid: number, parent: number, name: string) => ({ pid, parent, name });

// A container's first process, its shell, and a server of that name elsewhere.
const TABLE = [row(10, 1, 'entry'), row(11, 10, 'sh'), row(12, 11, 'beam.smp'), row(20, 1, 'beam.smp')];

describe('the program that is the server', () => {
  it('when others have started it, then it is found below them, and not one of the same name elsewhere', () => {
    expect(findBelow(10, ['beam.smp'], TABLE)).toBe(12);
    expect(findBelow(12, ['beam.smp'], TABLE)).toBe(12);
    expect(findBelow(10, ['mysqld'], TABLE)).toBeUndefined();
    expect(findBelow(99, ['beam.smp'], TABLE)).toBeUndefined();
  });

  it('when this process looks for itself, then it is below its parent', () => {
    const own = processTable().find(({ pid }) => pid === process.pid);
    expect(own?.parent).toBe(process.ppid);
  });
});
