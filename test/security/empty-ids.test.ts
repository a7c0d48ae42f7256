import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { inFolder } from '../doctor/contract.ts'
import { action, agent, conversation, error, observation, system, user } from '../doctor/systems/openhands/build.ts'
import { written } from '../doctor/systems/openhands/folder.ts'
import { programFile } from '../programs.ts'

const asked = [system, user('List the files.')]

test.each([
  ['no call has it', [...asked, observation('', 9)]],
  ['it is the last event, after a call', [...asked, action('A'), observation('A', 2), error('')]],
  ['another result has it as well', [...asked, action('A'), observation('', 2), agent('Well.'), error('')]],
  ['a call has it as well', [...asked, action(''), observation('', 2), observation('', 2), error(''), agent('Well.')]],
])('[SE463] a result of OpenHands whose call id is empty does not keep the doctor busy: %s', (_, events) =>
  inFolder(async folder => {
    const path = written(conversation(events), folder)
    const visit = (...flags: string[]) =>
      spawnSync(process.execPath, [programFile('antiphon'), 'doctor', '--json', ...flags, path], {
        encoding: 'utf8',
        env: { ...process.env, XDG_STATE_HOME: `${folder}-state` },
        timeout: 60_000,
      })
    expect(visit()).toMatchObject({ signal: null, status: 1 })
    visit('--fix', '--force')
    expect(visit()).toMatchObject({ signal: null, status: 0 })
  }),
)
