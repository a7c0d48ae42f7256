import { describe, expect, test } from 'vitest'
import { decodeHistoryDocument } from '../../../../src/apps/viewer/document/decode-history.ts'
import type { DecodedDocument } from '../../../../src/apps/viewer/document/decoded-document.ts'
import { DocumentModel } from '../../../../src/apps/viewer/document/document-model.ts'
import type { Arc, ArcKind } from '../../../../src/apps/viewer/document-service.ts'
import type { Codec } from '../../../../src/codecs/codec.ts'
import { type CodecId, codecs } from '../../../../src/codecs/index.ts'
import { applyEdits } from '../../../../src/core/edit.ts'
import { countCalls } from '../../../../src/heal/count.ts'
import { check, heal } from '../../../../src/index.ts'
import { history } from '../../../laws/history.ts'
import { Random } from '../../../laws/random.ts'
import { codecIds, readersOf } from '../../../laws/try-laws.ts'
import { seedsOf } from '../../../sample.ts'

/** Of each codec. */
const seeds = seedsOf(150, 50)

/** A random history that was opened, and how to ask the library about it. */
function openRandom(format: CodecId, seed: number) {
  const dialects = readersOf(format)
  const options = { format, for: dialects[seed % dialects.length] }
  const { messages } = history(format, seed)
  const decoded = decodeHistoryDocument(messages, options) as DecodedDocument
  return { seed, messages, options, decoded, model: new DocumentModel(decoded) }
}

type OpenedDocument = ReturnType<typeof openRandom>

/** Checks every random history of a format; a failure names its seed. */
function checkAll(all: readonly OpenedDocument[], look: (opened: OpenedDocument, seed: number) => void): void {
  for (const opened of all) {
    const { seed } = opened
    try {
      look(opened, seed)
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error })
    }
  }
}

const editsOf = ({ repairs }: DecodedDocument) => repairs.flatMap(({ edits }) => edits)

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const wholeWindow = (model: DocumentModel, step: number) => model.window(step, 0, Number.MAX_SAFE_INTEGER)

const numberOf = (arcs: readonly Arc[], ...kinds: ArcKind[]): number =>
  arcs.filter(({ kind }) => kinds.includes(kind)).length

describe.each(codecIds)('%s', format => {
  const codec: Codec = codecs[format]
  const all = seeds.map(seed => openRandom(format, seed))

  test('[VS1] the last step is the history that heal returns', () => {
    checkAll(all, ({ messages, options, decoded, model }) => {
      const { steps, healedRows } = model.opened
      const healed = model.snapshot(steps.length).messages
      expect(healed.length).toBe(healedRows)
      const conversation = { ...codec.decode(messages), messages: decoded.messages }
      expect(plain(codec.encode(healed, conversation, messages))).toEqual(plain(heal(messages, options)))
    })
  })

  test('[VS2] every step is the result of the edits up to it, in any order of visits', () => {
    checkAll(all, ({ decoded, model }, seed) => {
      const random = new Random(seed)
      const edits = editsOf(decoded)
      for (let visit = 0; visit < 5; visit++) {
        const step = random.int(edits.length + 1)
        const expected = applyEdits(decoded.messages, edits.slice(0, step))
        expect(model.snapshot(step).messages).toEqual(expected)
        if (step > 0) expect(model.opened.steps[step - 1].rows).toBe(expected.length)
      }
    })
  })

  test('[VS3] a step names the rows that it acts on, before and after', () => {
    checkAll(all, ({ decoded, model }) => {
      for (const [index, edit] of editsOf(decoded).slice(0, 12).entries()) {
        const { kind, before, after, diagnostic } = model.opened.steps[index]
        const [from, to] = [model.snapshot(index).messages, model.snapshot(index + 1).messages]
        const key =
          'key' in edit
            ? edit.key
            : edit.kind === 'replace'
              ? edit.before.key
              : 'message' in edit
                ? edit.message.key
                : undefined
        expect(kind).toBe(edit.kind)
        expect(before).toBe(
          kind === 'insert' || kind === 'set' ? undefined : from.findIndex(message => message.key === key),
        )
        expect(after).toBe(
          kind === 'remove' || kind === 'set' ? undefined : to.findIndex(message => message.key === key),
        )
        const [start, end] = model.opened.diagnostics[diagnostic].steps as readonly [number, number]
        expect(index >= start && index < end).toBe(true)
      }
    })
  })

  test('[VS4] a window is a slice of the whole, with every arc that touches or crosses it', () => {
    checkAll(all, ({ model }, seed) => {
      const random = new Random(seed)
      const step = random.int(model.opened.steps.length + 1)
      const whole = wholeWindow(model, step)
      const from = random.int(whole.rows.length + 1)
      const to = from + random.int(4)
      const window = model.window(step, from, to)
      expect(window.rows).toEqual(whole.rows.slice(from, to))
      const touches = ({ from: call, to: result }: Arc): boolean => {
        const ends = [call, result].filter(end => end !== undefined)
        return Math.min(...ends) < to && Math.max(...ends) >= from
      }
      expect(window.arcs).toEqual(whole.arcs.filter(touches))
    })
  })

  test('[VS5] arcs agree with the pairing, with count and with the rules', () => {
    checkAll(all, ({ messages, options, model, decoded }) => {
      const { arcs, rows } = wholeWindow(model, 0)
      const context = decoded.context(decoded.messages)
      const found = check(messages, options)
      const numberFound = (rule: string): number => found.filter(diagnostic => diagnostic.rule === rule).length
      const counted = countCalls(messages, options)
      const { calls, results, orphans, unanswered } = model.opened.counts
      expect({ calls, results, unanswered }).toEqual({
        calls: counted.calls,
        results: counted.results,
        unanswered: counted.unanswered,
      })
      if (!context.continues) expect(orphans).toBe(counted.orphans)
      expect(numberOf(arcs, 'open')).toBe(numberFound('unanswered-call'))
      const onRows = arcs.filter(({ kind, to = 0 }) => kind !== 'orphan' || rows[to].role === 'tool')
      expect(numberOf(onRows, 'orphan')).toBe(numberFound('orphan-result'))
      const { pairing } = context
      expect(numberOf(arcs, 'paired', 'misplaced', 'duplicate')).toBe(pairing.results.filter(({ call }) => call).length)
      expect(numberOf(arcs, 'duplicate')).toBe(
        pairing.results.filter(result => result.call && result.call.answer !== result).length,
      )
      expect(numberOf(arcs, 'open', 'waiting')).toBe(pairing.calls.filter(({ answer }) => !answer).length)
      for (const arc of arcs) {
        if (arc.from !== undefined)
          expect(rows[arc.from].pieces.some(({ kind, label }) => kind === 'call' && label === arc.name)).toBe(true)
        if (arc.to !== undefined) expect(rows[arc.to].pieces.some(({ kind }) => kind === 'result')).toBe(true)
      }
    })
  })

  test('[VS6] an arc shows what is wrong with a pair, and after the last step all arcs are paired or waiting', () => {
    checkAll(all, ({ messages, options, model }) => {
      const calm = ({ kind }: Arc): boolean => kind === 'paired' || kind === 'waiting'
      const isOfPairs = check(messages, options).some(({ rule }) => pairRules.has(rule))
      if (isOfPairs) expect(wholeWindow(model, 0).arcs.every(calm)).toBe(false)
      expect(wholeWindow(model, model.opened.steps.length).arcs.filter(arc => !calm(arc))).toEqual([])
    })
  })

  test('[VS7] every row has one line of text, every diagnostic existing rows, every step a description', () => {
    checkAll(all, ({ model, decoded }) => {
      const { diagnostics, steps, rows } = model.opened
      expect(diagnostics.length).toBe(decoded.repairs.length + decoded.remaining.length)
      for (const diagnostic of diagnostics) {
        expect(diagnostic.why).not.toBe('')
        for (const row of diagnostic.rows) expect(row >= 0 && row < rows).toBe(true)
        if (/\[\d+\]/.test(diagnostic.at)) expect(diagnostic.rows.length).toBeGreaterThan(0)
      }
      for (const { description } of steps) expect(description).toMatch(/^[A-Z][^\n]{8,}$/)
      for (const [index, row] of wholeWindow(model, 0).rows.entries()) {
        expect(row.index).toBe(index)
        expect(row.words.length).toBeLessThanOrEqual(240)
        expect(row.words).not.toMatch(/[\n\r\u2028]/)
        expect(row.words.isWellFormed()).toBe(true)
        expect(row.diagnostics.every(diagnostic => diagnostics[diagnostic].rows[0] === index)).toBe(true)
      }
    })
  })
})

const pairRules = new Set([
  'unanswered-call',
  'orphan-result',
  'duplicate-result',
  'misplaced-result',
  'early-result',
  'interleaved-message',
])
