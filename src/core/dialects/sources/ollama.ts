import type { FactSource } from './source.ts'

const code = 'https://github.com/ollama/ollama/blob/main'

export const sources: readonly FactSource[] = [
  {
    fact: 'malformedInput',
    url: 'https://github.com/aliasrobotics/cai/issues/76',
    evidence: 'S',
    date: '2026-11-18',
  },
  { fact: 'malformedInput', url: 'https://github.com/ollama/ollama/issues/12794', evidence: 'S', date: '2026-11-18' },
  {
    fact: 'malformedResult',
    url: 'https://github.com/BerriAI/litellm/issues/11273',
    evidence: 'S',
    date: '2026-11-18',
  },
  {
    fact: 'malformedContent',
    url: 'https://github.com/BerriAI/litellm/issues/11273',
    evidence: 'S',
    date: '2026-11-18',
  },
  {
    fact: 'malformedContent',
    url: 'https://github.com/BerriAI/litellm/issues/18338',
    evidence: 'S',
    date: '2026-11-18',
  },
  { fact: 'idless', url: 'https://github.com/ollama/ollama/issues/11417', evidence: 'S', date: '2026-11-18' },
  { fact: 'names', url: `${code}/api/types.go`, evidence: 'C', date: '2026-11-18' },
  { fact: 'developer', url: `${code}/template/template.go`, evidence: 'C', date: '2026-11-18' },
  { fact: 'consecutiveAssistants', url: `${code}/template/template.go`, evidence: 'C', date: '2026-11-18' },
]
