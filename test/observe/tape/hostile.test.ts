import { describe, expect, test } from 'vitest'
import { drawTape } from '../../../src/apps/cli/commands/tape-drawing.ts'
import { createTape, inspect, readTape } from '../../../src/observe/tape/index.ts'
import { recording } from './recording.ts'

const unpainted = (_: string, text: string): string => text

describe('hostile tapes', () => {
  test.each([true, false])('[TP18] a body that is too deep costs its own place, with redact %s', redact => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const { tape, text } = recording({ redact })
    tape.request({ body: `{"messages":${deep}}` })
    tape.request({ body: { messages: [{ role: 'user', content: JSON.parse(deep) }] } })
    tape.input({ content: JSON.parse(deep) })
    tape.response('one.1', { status: 200, body: deep })
    const circle: Record<string, unknown> = {}
    circle.self = circle
    tape.request({ body: circle })
    tape.request({ body: { messages: [] } })
    const { entries, faults } = readTape(text())
    expect(faults).toEqual([])
    expect(entries.map(entry => ('lost' in entry ? entry.lost : undefined))).toEqual([
      ...['it is nested too deeply', 'it is nested too deeply', 'it is nested too deeply', 'it is nested too deeply'],
      ...['it is nested too deeply', undefined],
    ])
    expect(inspect(entries).requests).toHaveLength(4)
  })

  test('[TP18] a body that is too long is left out, and one of 10 MB is kept', () => {
    const { tape, text } = recording({ bodyMax: 12_000_000 })
    tape.request({ body: { input: 'y'.repeat(13_000_000) } })
    tape.request({ body: 'z'.repeat(13_000_000) })
    tape.request({ body: { messages: [{ role: 'user', content: 'Wörter 123 '.repeat(1_000_000) }] } })
    const [long, text2, kept] = readTape(text()).entries as readonly { lost?: string; body?: unknown }[]
    expect([long.lost, text2.lost]).toEqual([
      'it is too long: 13000012 characters',
      'it is too long: 13000000 characters',
    ])
    expect(kept.body).toEqual({ messages: [{ role: 'user', content: 'xxxxxx 000 '.repeat(1_000_000) }] })
  })

  test('[TP18] values that are no JSON, and names of the language, do no harm', () => {
    const { tape, text } = recording()
    for (const body of [undefined, null, 7, true, '', [], () => 1, Symbol('s'), 10n, new Date(0), new Uint8Array(3)])
      tape.request({ body })
    tape.request({ body: '{"messages":[{"role":"__proto__","__proto__":{"polluted":"yes"},"content":"constructor"}]}' })
    tape.callStart({ id: '__proto__', name: 'constructor' })
    tape.callEnd({ id: '__proto__' })
    const { entries, faults } = readTape(text())
    expect(faults).toEqual([])
    expect(entries).toHaveLength(14)
    expect(inspect(entries).calls).toMatchObject([{ id: '__proto__', name: 'constructor' }])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test('[TP18] a hundred thousand entries of every kind are read, inspected and drawn in linear time', () => {
    const lines: string[] = []
    const tape = createTape({ write: line => lines.push(line), from: 'one', now: () => 1 })
    const body = { messages: [{ role: 'user', content: 'Hi.' }] }
    for (let index = 0; index < 12_500; index++) {
      const request = tape.request({ body })
      tape.response(request, { status: 400, body: { error: 'no' } })
      tape.callStart({ id: `call_${index}` })
      tape.callStart({ id: 'call_same' })
      tape.callEnd({ id: 'call_same' })
      tape.input()
      tape.interrupt()
      tape.repair({ request, repairs: [{ rule: 'orphan-result', at: 'messages[0]' }] })
    }
    const { entries, faults } = readTape(lines.join(''))
    expect([entries.length, faults.length]).toEqual([100_000, 0])
    const inspection = inspect(entries)
    expect(inspection.calls).toHaveLength(12_501)
    expect(drawTape(entries, inspection, unpainted, 100, 200)).toHaveLength(202)
    expect(drawTape(entries, inspection, unpainted, 100, Number.POSITIVE_INFINITY)).toHaveLength(100_001)
  })
})
