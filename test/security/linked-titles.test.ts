import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { examineStores } from '../../src/doctor/doctor.ts'
import { filesIn } from '../doctor/chat/samples.ts'
import { all, inFolder, type Subject } from '../doctor/contract.ts'
import { subject as cline } from '../doctor/systems/cline/subject.ts'
import { subject as clineSessions, session } from '../doctor/systems/cline-sessions/subject.ts'
import { subject as copilotCli } from '../doctor/systems/copilot-cli/subject.ts'
import { subject as kimiCli } from '../doctor/systems/kimi-cli/subject.ts'
import { subject as kimiCode } from '../doctor/systems/kimi-code/subject.ts'

const secret = 'a line of another file'

test.each<[Subject, string, string, (session: string) => string]>([
  [copilotCli, '.jsonl', 'workspace.yaml', () => `name: ${secret}\n`],
  [kimiCli, '.jsonl', 'state.json', () => JSON.stringify({ custom_title: secret })],
  [kimiCode, '.jsonl', '../../state.json', () => JSON.stringify({ title: secret })],
  [clineSessions, '.messages.json', `${session}.json`, () => JSON.stringify({ metadata: { title: secret } })],
  [cline, 'history.json', 'history_item.json', () => JSON.stringify({ task: secret })],
  [cline, 'history.json', '../../state/taskHistory.json', id => JSON.stringify([{ id, task: secret }])],
])('[SE462] $system.id reads no title through a link (%#)', ({ system, healthy }, ending, place, write) =>
  inFolder(async folder => {
    const titles = async (): Promise<(string | undefined)[]> =>
      (await all(examineStores([folder], { systems: [system] }))).flatMap(one =>
        one.kind === 'conversation' ? [one.title] : [],
      )
    await healthy(5, join(folder, 'home'))
    const [file] = filesIn(folder, ending)
    const [named, outside] = [join(dirname(file), place), join(folder, '..', 'outside')]
    mkdirSync(outside)
    mkdirSync(dirname(named), { recursive: true })
    const text = write(basename(dirname(file)))
    writeFileSync(named, text)
    expect(await titles()).toContain(secret)
    rmSync(named)
    writeFileSync(join(outside, basename(named)), text)
    symlinkSync(join(outside, basename(named)), named)
    expect(await titles()).not.toContain(secret)
    rmSync(named)
    if (place.includes('state/')) {
      rmSync(dirname(named), { recursive: true })
      symlinkSync(outside, dirname(named))
      expect(await titles()).not.toContain(secret)
    }
  }),
)
