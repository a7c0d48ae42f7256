import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { peekAt } from '../../../../src/doctor/peek.ts'
import { geminiCli } from '../../../../src/doctor/systems/gemini-cli/index.ts'
import { systems } from '../../../../src/doctor/systems.ts'
import { message, result, user } from '../../chat/chat.ts'
import { about, all, describeSystem, inFolder, state } from '../../contract.ts'
import { contentsOf, readCheckpoint, save, savedChats } from './checkpoint-subject.ts'

describeSystem(savedChats)

const fix = (store: string) =>
  all(examineStores([store], { systems, fix: true, backups: join(store, '..', 'backups') }))

const asks = message('assistant', { texts: ['I look.'], calls: [{ id: 'a', name: 'bash', input: { command: 'ls' } }] })
const cut = contentsOf([user('Go'), asks, user('Next')])

test.each([
  ['an object', { history: cut, authType: 'gemini-api-key' }],
  ['a list, as older versions write it', cut],
])('[D606] Gemini CLI: a chat saved as %s is repaired in its list, and everything else stays', (_, saved) =>
  inFolder(async folder => {
    const path = save(folder, saved)
    const before = readFileSync(path, 'utf8').split('\n')
    const [found] = await fix(folder)
    expect(found).toMatchObject({
      system: { id: 'gemini-cli' },
      id: 'checkpoint-before%20lunch',
      title: 'before lunch',
    })
    const after = readFileSync(path, 'utf8').split('\n')
    expect(before.filter(line => !after.includes(line))).toEqual([])
    expect(readCheckpoint(folder).flatMap(({ results }) => results)).toEqual([{ id: 'a', text: expect.any(String) }])
    expect((await fix(folder)).map(state)).toEqual(['healthy'])
  }),
)

test('[D606] Gemini CLI: results that stand late or twice in a saved chat are put in order', () =>
  inFolder(async folder => {
    const late = [user('Go'), asks, user('Next'), result('a', 'late'), result('a', 'late')]
    save(folder, { history: contentsOf(late) })
    await fix(folder)
    expect(savedChats.refusals(folder)).toEqual([])
    expect(readCheckpoint(folder).flatMap(({ results }) => results)).toHaveLength(1)
  }))

test('[D607] Gemini CLI: a saved chat is known by its name and its contents, also a long one', () =>
  inFolder(async folder => {
    const recognised = (saved: unknown, tag?: string): boolean => geminiCli.recognises(peekAt(save(folder, saved, tag)))
    expect(recognised({ history: cut })).toBe(true)
    expect(recognised(contentsOf([user('word '.repeat(100_000))]).slice(1))).toBe(true)
    expect(recognised([{ parts: [{ text: 'Go' }], role: 'user' }])).toBe(true)
    expect(recognised([{ role: 'user', content: 'Go' }])).toBe(false)
    expect(recognised({ step: 7, history: 'none' })).toBe(false)
    expect(recognised([])).toBe(false)
    const other = join(folder, 'other.json')
    writeFileSync(other, JSON.stringify(cut))
    expect(geminiCli.recognises(peekAt(other))).toBe(false)
  }))

test('[D607] Gemini CLI: a saved chat that is cut off gets one line, and stays', () =>
  inFolder(async folder => {
    const path = save(folder, { history: cut })
    const text = readFileSync(path, 'utf8').slice(0, -40)
    writeFileSync(path, text)
    expect((await fix(folder)).map(about)).toEqual([expect.stringContaining('the text ends')])
    expect(readFileSync(path, 'utf8')).toBe(text)
  }))

test('[D607] Gemini CLI: a running program counts for a saved chat if it works in its project', () =>
  inFolder(async folder => {
    const path = save(folder, cut)
    const worksIn = () => geminiCli.program?.processes[0].worksIn?.(path)
    expect(worksIn()?.('/home/me/shop')).toBe(false)
    writeFileSync(join(folder, 'tmp', 'shop', '.project_root'), '/home/me/shop')
    expect(worksIn()?.('/home/me/shop')).toBe(true)
    expect(worksIn()?.('/home/me')).toBe(false)
    const hashed = join(folder, 'tmp', '01f7c2b6', 'x')
    mkdirSync(hashed, { recursive: true })
    expect(geminiCli.program?.processes[0].worksIn?.(join(hashed, 'checkpoint-a.json'))('/home/me')).toBe(false)
  }))
