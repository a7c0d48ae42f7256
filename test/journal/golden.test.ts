import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { DialectId } from '../../src/index.ts'
import { type Entry, entryVersion, entryVersionOf } from '../../src/journal/entry.ts'
import { evolve, initialState, type ThreadItem, type ThreadState } from '../../src/journal/fold.ts'
import { Renderer, renderTargetFor } from '../../src/journal/render/render.ts'
import { readers } from '../strict/readers.ts'
import { LogLaws } from './invariants/log-laws.ts'
import { refusedPrefixes } from './invariants/prefixes.ts'
import { everyKind } from './sample-entries.ts'

/** Versions of what is stored, from the first on. Nobody changes a golden journal: a new version gets one of its own. */
const versions = Array.from({ length: entryVersion }, (_, index) => index + 1)

describe.each(versions)('a journal of version %i', version => {
  const entries = linesOf(`v${version}.jsonl`).map(line => JSON.parse(line) as Entry)
  const expected = JSON.parse(textOf(`v${version}.expected.json`)) as Expected

  test('[W90] has every kind of entry with every field, and is lawful', () => {
    const kinds = Object.values(everyKind).filter(({ kind }) => entryVersionOf(kind) <= version)
    for (const entry of kinds) {
      const { kind } = entry
      const fields = new Set(entries.filter(entry => entry.kind === kind).flatMap(entry => paths(entry)))
      expect([...fields], kind).toEqual(expect.arrayContaining(paths(entry).filter(isOurs)))
    }
    const laws = new LogLaws()
    for (const entry of entries) laws.take(entry)
    expect(laws.problems).toEqual([])
    expect(refusedPrefixes('goldengolden', entries, judges)).toEqual([])
  })

  test('[W90] is folded to the state that it always had', () => {
    expect(plainOf(fold(entries))).toEqual(expected.state)
  })

  test.each(Object.keys(expected.messages) as DialectId[])('[W90] is drawn for %s as it always was', dialect => {
    const messages = new Renderer(renderTargetFor(dialect), fold(entries)).render()
    expect(messages).toEqual(expected.messages[dialect])
  })
})

/** All but those who know what they have encrypted themselves. */
const judges = readers.filter(({ dialect }) => dialect !== 'openai-responses')

interface Expected {
  readonly state: object
  readonly messages: Partial<Record<DialectId, unknown[]>>
}

function fold(entries: readonly Entry[]): ThreadState {
  const state = initialState('goldengolden')
  for (const entry of entries) evolve(state, structuredClone(entry))
  return state
}

/** A state as data: what is shared in it is named by its id. */
function plainOf({ calls, open, notes, items, inputs: _, lessons, tree, ...state }: ThreadState): unknown {
  const plain = {
    ...state,
    tree: tree && {
      ...{ current: tree.current.branch, next: tree.next?.branch },
      branches: tree.branches.map(branch => ({
        ...{ branch: branch.branch, from: branch.from, after: branch.after, createdAt: branch.createdAt },
        items: tree.itemsOf(branch).map(plainItem),
        // What waits for the current branch is among all that waits.
        waiting: branch === tree.current ? [] : [...branch.waiting.values()],
      })),
    },
    lessons: lessons && [...lessons].map(([key, { rejections, marks }]) => [key, [...rejections], [...marks]]),
    calls: Object.fromEntries(calls),
    open: [...open.keys()],
    notes: notes.map(({ call, ...note }) => ({ ...note, call: call.id })),
    items: items.map(plainItem),
  }
  return JSON.parse(JSON.stringify(plain))
}

function plainItem(item: ThreadItem): unknown {
  if (item.kind === 'step') return { kind: 'step', seq: item.step.seq, calls: item.step.calls.map(({ id }) => id) }
  return item.kind === 'notes' ? { ...item, notes: item.notes.map(({ seq }) => seq) } : item
}

/** The names of all fields, those of what is in them included. */
function paths(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at]
  const inner = Array.isArray(value) ? value.map(part => ['[]', part]) : Object.entries(value)
  return [at, ...inner.flatMap(([key, part]) => paths(part, `${at}.${key}`))]
}

/** What providers and callers say is theirs, and has any form. */
const isOurs = (path: string): boolean =>
  !/^\.(content|messages\.\[\]|left\.\[\]|usage|outcome\.content|rejections\.\[\])\./.test(path)

function linesOf(file: string): string[] {
  return textOf(file).trimEnd().split('\n')
}

function textOf(file: string): string {
  return readFileSync(new URL(`./golden/${file}`, import.meta.url), 'utf8')
}
