import { commandOf } from './k6.js';

const options = { profile: 'ramp', url: 'http://127.0.0.1:1', inventoryUrl: 'http://127.0.0.1:2', rate: 50 } as const;

describe('the command of k6', () => {
  it('when k6 is on this machine, then it runs the script of the profile', () => {
    const [program, ...args] = commandOf({ ...options, seconds: undefined, tool: 'k6' }, '/tmp/x/summary.json');
    expect(program).toBe('k6');
    expect(args.at(0)).toBe('run');
    expect(args.at(-1)).toMatch(/loadtest\/k6\/ramp\.js$/);
    expect(args).toEqual(
      expect.arrayContaining(['ORDER_URL=http://127.0.0.1:1', 'SUMMARY=/tmp/x/summary.json', 'RATE=50']),
    );
    expect(args.join(' ')).not.toContain('SECONDS');
  });

  it('when k6 is in a container, then the summary comes out of a folder that both see', () => {
    const command = commandOf({ ...options, seconds: 5, tool: 'docker' }, '/tmp/x/summary.json');
    expect(command.slice(0, 3)).toEqual(['docker', 'run', '--rm']);
    expect(command).toEqual(expect.arrayContaining(['/tmp/x:/summary', 'SUMMARY=/summary/summary.json', 'SECONDS=5']));
    expect(command.at(-1)).toBe('/k6/ramp.js');
  });
});
