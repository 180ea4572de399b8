import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { pick } from '../../service/common-settings.js';
import { readSettings } from '../../service/settings.js';
import { unservedBy, type TaskGroup } from './task-group.js';

const read = (text: string | undefined): readonly TaskGroup[] =>
  readSettings(pick('RELAY_GROUPS'), [], { RELAY_GROUPS: text }).RELAY_GROUPS;

const readOne = (fields: object) => () => read(JSON.stringify([{ groupId: 'a', houseNumbers: [0], ...fields }]));

describe('RELAY_GROUPS', () => {
  it('when it holds the groups of the guide, then they are read', () => {
    const text = readFileSync(join(__dirname, '../../../../docs/how-to/task-groups.json'), 'utf8');
    const groups = read(text);
    expect(groups.map(({ groupId }) => groupId)).toEqual(['group01', 'group02']);
    expect(groups).toMatchObject([
      { cron: '0/10 * * * * ?', limit: 100 },
      { fixedDelayMs: 5_000, limit: 50, rate: 20 },
    ]);
    expect(unservedBy(groups)).toEqual([]);
  });

  it('when it is not given or empty, then there are no groups', () => {
    expect(read(undefined)).toEqual([]);
    expect(read(' ')).toEqual([]);
  });

  it('when groups leave houses out or share some, then that is no mistake, and the ones left out are known', () => {
    const groups = read('[{"groupId":"a","houseNumbers":[0,1,2]},{"groupId":"b","houseNumbers":[2,3]}]');
    expect(unservedBy(groups)).toEqual([4, 5, 6, 7, 8, 9]);
  });

  it.each([
    ['not JSON', () => read('{'), 'is not JSON'],
    ['no list', () => read('{}'), 'must be a list of groups'],
    ['a field that there is not', readOne({ limits: 5 }), 'limits'],
    ['no name', () => read('[{"houseNumbers":[1]}]'), 'group 1 groupId must be a text'],
    ['a name that no label can hold', readOne({ groupId: 'a b' }), 'groupId must be 1 to 64 letters'],
    ['no house', readOne({ houseNumbers: [] }), 'houseNumbers must not be empty'],
    ['a house that there is not', readOne({ houseNumbers: [10] }), 'houseNumbers 0 must be a whole number from 0 to 9'],
    ['a house twice', readOne({ houseNumbers: [3, 3] }), 'houseNumbers has one twice'],
    ['two schedules', readOne({ cron: '0 * * * * ?', fixedDelayMs: 5 }), 'has both cron and fixedDelayMs'],
    ['a cron of five fields', readOne({ cron: '* * * * *' }), 'has not six fields'],
    ['a cron that is a word', readOne({ cron: '@daily' }), 'has not six fields'],
    ['a cron that cannot be', readOne({ cron: '61 * * * * ?' }), "cron '61 * * * * ?'"],
    ['a cron for a day that never comes', readOne({ cron: '0 0 0 30 2 ?' }), 'never fires'],
    ['no limit at all', readOne({ limit: 0 }), 'limit must be a whole number from 1'],
    ['a rate below nothing', readOne({ rate: -1 }), 'rate must be a whole number from 1'],
    ['half a millisecond', readOne({ fixedDelayMs: 0.5 }), 'fixedDelayMs must be a whole number from 1'],
  ])('when a group has %s, then the process refuses to start and says so', (_, reading, words) => {
    expect(reading).toThrow('RELAY_GROUPS: ');
    expect(reading).toThrow(words);
  });

  it('when several things are wrong in several groups, then one message names them all and where', () => {
    const text = JSON.stringify([
      { groupId: 'a', houseNumbers: [11], limit: 'many', colour: 'red' },
      { groupId: 'a', houseNumbers: [], cron: 'soon', fixedDelayMs: 5, rate: 0 },
    ]);
    let message = '';
    try {
      read(text);
    } catch (error) {
      message = String(error);
    }
    for (const part of [
      'group 1 (a) houseNumbers 0 must be',
      'group 1 (a) limit must be a number',
      'colour',
      'group 2 (a) groupId is that of another group',
      'group 2 (a) houseNumbers must not be empty',
      "group 2 (a) cron 'soon'",
      'group 2 (a) has both cron and fixedDelayMs',
      'group 2 (a) rate must be',
    ])
      expect(message).toContain(part);
  });
});
