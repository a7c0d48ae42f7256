import type { FactSource } from './source.ts'

const live = 'https://github.com/rizukirr/Freyja/blob/main/docs/reference/wire/gemini.md'
const types = 'https://www.npmjs.com/package/@google/genai/v/2.32.0'
const date = '2026-11-18'

export const sources: readonly FactSource[] = [
  { fact: 'firstAssistant', url: live, evidence: 'S', date },
  { fact: 'unansweredCall', url: live, evidence: 'I', date },
  { fact: 'unansweredCall', url: 'https://github.com/microsoft/vscode/issues/299295', evidence: 'T', date },
  { fact: 'orphanResult', url: types, evidence: 'D', date },
  { fact: 'unnamedResult', url: live, evidence: 'S', date },
  { fact: 'unnamedResult', url: 'https://github.com/robocurve/inspect-robots/issues/380', evidence: 'S', date },
  { fact: 'ids', url: 'https://github.com/google/adk-python/issues/4381', evidence: 'S', date },
  { fact: 'malformedResult', url: live, evidence: 'S', date },
  { fact: 'malformedInput', url: types, evidence: 'D', date },
  { fact: 'names', url: types, evidence: 'D', date },
  { fact: 'unsignedThinking', url: 'https://github.com/googleapis/js-genai/issues/1735', evidence: 'S', date },
  { fact: 'signature', url: live, evidence: 'S', date },
  { fact: 'signature', url: 'https://github.com/allenhutchison/obsidian-gemini/pull/1269', evidence: 'S', date },
  { fact: 'signature', url: 'https://ai.google.dev/gemini-api/docs/thought-signatures', evidence: 'D', date },
  { fact: 'emptyMessage', url: types, evidence: 'I', date },
  { fact: 'blankText', url: types, evidence: 'I', date },
  { fact: 'lastAssistant', url: types, evidence: 'I', date },
]
