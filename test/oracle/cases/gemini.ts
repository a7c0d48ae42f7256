import type { Case, Suite } from './case.ts'
import { fc, fr, m, text, u } from './parts.ts'

const hi = u(text())
const step = [m(fc()), u(fr())]

const emptyText: Case = {
  fact: 'ge-empty-part',
  name: 'an empty text without a signature',
  refused: [hi, m(text(), text('')), hi],
  accepted: [hi, m(text(), { text: '', thoughtSignature: 'c2ln' }), hi],
}

const shared: Case[] = [
  { fact: 'ge-call-position', refused: [...step, m(text()), hi], accepted: [hi, ...step, m(text()), hi] },
  {
    fact: 'ge-call-position',
    name: 'behind a model turn',
    refused: [hi, m(text()), ...step],
    accepted: [hi, m(text(), fc()), u(fr())],
  },
  { fact: 'ge-response-position', refused: [u(fr())], accepted: [hi, ...step] },
  {
    fact: 'ge-response-position',
    name: 'behind a user turn',
    refused: [hi, m(fc()), hi, u(fr())],
    accepted: [hi, m(fc()), u(fr()), hi],
  },
  {
    fact: 'ge-response-position',
    name: 'in a model turn',
    refused: [hi, m(fc()), m(fr()), hi],
    accepted: [hi, ...step],
  },
  { fact: 'ge-count', refused: [hi, m(fc(), fc()), u(fr())], accepted: [hi, m(fc(), fc()), u(fr(), fr())] },
  {
    fact: 'ge-count',
    name: 'results in two turns',
    refused: [hi, m(fc(), fc('tides')), u(fr()), u(fr('tides'))],
    accepted: [hi, m(fc(), fc('tides')), u(fr('tides'), fr())],
  },
  { fact: 'ge-count', name: 'a result twice', refused: [hi, m(fc()), u(fr(), fr())], accepted: [hi, ...step] },
  { fact: 'ge-count', name: 'at the tail', refused: [hi, m(fc())], accepted: [hi, m(fc()), u(fr(), text())] },
  { fact: 'ge-alternate', pedantic: true, refused: [hi, hi], accepted: [u(text(), text())] },
  { fact: 'ge-end', pedantic: true, refused: [hi, m(text())], accepted: [hi, m(text()), hi] },
  { fact: 'ge-start', pedantic: true, refused: [m(text()), hi], accepted: [hi, m(text()), hi] },
  { fact: 'ge-empty', refused: [], accepted: [hi] },
  { fact: 'ge-empty-part', refused: [hi, m({}), hi], accepted: [hi, m(text()), hi] },
  { fact: 'ge-role', refused: [hi, { ...m(text()), role: 'assistant' }, hi], accepted: [hi, m(text()), hi] },
  { fact: 'ge-system-role', pedantic: true, refused: [{ ...hi, role: 'system' }, hi], accepted: [hi] },
  { fact: 'ge-fr-name', refused: [hi, m(fc()), u(fr(''))], accepted: [hi, ...step] },
  { fact: 'ge-fc-name', refused: [hi, m(fc('')), u(fr())], accepted: [hi, ...step] },
  {
    fact: 'ge-struct',
    refused: [hi, m(fc()), u(fr('weather', 'sunny'))],
    accepted: [hi, m(fc()), u(fr('weather', { output: 'sunny' }))],
  },
  {
    fact: 'ge-struct',
    name: 'a list',
    refused: [hi, m(fc()), u(fr('weather', ['sunny']))],
    accepted: [hi, m(fc()), u(fr('weather', { output: ['sunny'] }))],
  },
  {
    fact: 'ge-struct',
    name: 'arguments',
    refused: [hi, m({ functionCall: { name: 'weather', args: '{"city' } }), u(fr())],
    accepted: [hi, m({ function_call: { name: 'weather', args: { _cut_off: '{"city' } } }), u(fr())],
  },
]

export const geminiCases: Suite[] = [
  {
    dialect: 'gemini',
    format: 'gemini',
    cases: [
      ...shared,
      { ...emptyText, pedantic: true },
      { fact: 'ge-empty-parts', refused: [hi, m(), hi], accepted: [{ parts: [text()] }] },
      {
        fact: 'ge-empty-parts',
        name: 'no parts at all',
        refused: [hi, { role: 'model' }, hi],
        accepted: [hi, m(fc()), { ...u(fr()), role: 'function' }],
      },
    ],
  },
  {
    dialect: 'vertex',
    format: 'gemini',
    cases: [
      ...shared,
      emptyText,
      { fact: 'ge-empty-parts-vertex', refused: [hi, m(), hi], accepted: [hi] },
      { fact: 'ge-role', name: 'none', refused: [{ parts: [text()] }], accepted: [hi] },
      {
        fact: 'ge-role',
        name: 'that of results of old',
        refused: [hi, m(fc()), { ...u(fr()), role: 'function' }],
        accepted: [hi, ...step],
      },
    ],
  },
]
