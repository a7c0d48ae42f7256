import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { examineStores } from '../../src/doctor/doctor.ts'
import type { System } from '../../src/doctor/system.ts'
import { generateChat } from './chat/chat.ts'
import { filesIn } from './chat/samples.ts'
import { all, inFolder, type Subject } from './contract.ts'
import { subject as cline } from './systems/cline/subject.ts'
import { subject as clineSessions, session } from './systems/cline-sessions/subject.ts'
import { subject as copilotCli } from './systems/copilot-cli/subject.ts'
import { subject as geminiCli } from './systems/gemini-cli/subject.ts'
import { subject as kimiCli } from './systems/kimi-cli/subject.ts'
import { subject as kimiCode } from './systems/kimi-code/subject.ts'
import { subject as openclaw } from './systems/openclaw/subject.ts'
import { subject as pi } from './systems/pi/subject.ts'
import { subject as qwenCode } from './systems/qwen-code/subject.ts'
import { subject as strands } from './systems/strands/subject.ts'

const titlesIn = async (path: string, system: System): Promise<(string | undefined)[]> =>
  (await all(examineStores([path], { systems: [system] }))).flatMap(one =>
    one.kind === 'conversation' ? [one.title] : [],
  )

/** The first prompt of what the subjects write for this seed. */
const seed = 5
const opening = generateChat(seed)[0]?.texts[0]?.trim() ?? ''
const prompt = opening.length > 80 ? `${opening.slice(0, 79)}…` : opening

test.each([cline, clineSessions, copilotCli, geminiCli, kimiCli, kimiCode, openclaw, pi, qwenCode, strands])(
  '[D660] a session without a title is known by its first user message: $system.id',
  subject =>
    inFolder(async folder => {
      const path = await subject.healthy(seed, folder)
      const titles = await titlesIn(path, subject.system)
      expect(titles).toEqual(titles.map(() => prompt))
      expect(titles.length).toBeGreaterThan(0)
    }),
)

const appended =
  (...records: readonly object[]) =>
  (file: string): void =>
    appendFileSync(file, records.map(record => `${JSON.stringify(record)}\n`).join(''))

const beside =
  (name: string, text: string) =>
  (file: string): void => {
    const path = join(dirname(file), name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }

const linked = { timestamp: '2026-08-12T10:15:00.000Z', sessionId: 's' }

test.each<[string, Subject, string, (file: string) => void]>([
  [
    'a name in the log',
    pi,
    '.jsonl',
    appended({ type: 'session_info', id: 'aaaaaaaa', parentId: null, name: 'Fix it' }),
  ],
  [
    'the last of two names in the log',
    qwenCode,
    '.jsonl',
    appended(
      ...['Old', 'Fix it'].map(customTitle => ({
        ...{ ...linked, uuid: customTitle, parentUuid: null, type: 'system', subtype: 'custom_title' },
        systemPayload: { customTitle, titleSource: 'manual' },
      })),
    ),
  ],
  ['a summary in the log', geminiCli, '.jsonl', appended({ $set: { summary: 'Fix it' } })],
  ['a plain summary', copilotCli, '.jsonl', beside('workspace.yaml', 'id: x\nsummary: Fix it\nbranch: main\n')],
  ['a quoted summary', copilotCli, '.jsonl', beside('workspace.yaml', 'id: x\nname: null\nsummary: "Fix it"\n')],
  ['a summary of lines', copilotCli, '.jsonl', beside('workspace.yaml', 'summary: |-\n  Fix it\n  and more\n')],
  ['its state', kimiCli, '.jsonl', beside('state.json', '{"custom_title":"Fix it"}')],
  ['its state', kimiCode, '.jsonl', beside('../../state.json', '{"title":"Fix it\\nand more"}')],
  ['its manifest', clineSessions, '.messages.json', beside(`${session}.json`, '{"metadata":{"title":"Fix it"}}')],
  ['its history item', cline, 'history.json', beside('history_item.json', '{"task":"Fix it"}')],
])('[D660] the title that a program keeps is shown: %s', (_, subject, ending, write) =>
  inFolder(async folder => {
    const path = await subject.healthy(seed, folder)
    for (const file of filesIn(folder, ending)) write(file)
    expect(new Set(await titlesIn(path, subject.system))).toEqual(new Set(['Fix it']))
  }),
)

test('[D660] Cline: the title is in the list of all tasks', () =>
  inFolder(async folder => {
    const path = await cline.healthy(seed, folder)
    const [file] = filesIn(folder, 'history.json')
    const id = basename(dirname(file))
    beside(
      '../../state/taskHistory.json',
      JSON.stringify([
        { id: 'other', task: 'No' },
        { id, task: 'Fix it' },
      ]),
    )(file)
    expect(await titlesIn(path, cline.system)).toEqual(['Fix it'])
  }))
