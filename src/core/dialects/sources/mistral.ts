import type { FactSource } from './source.ts'

export const sources: readonly FactSource[] = [
  {
    fact: 'userAfterResult',
    url: 'https://github.com/datapizza-labs/datapizza-ai/issues/98',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'userAfterResult',
    url: 'https://github.com/charmbracelet/crush/issues/279',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'lastAssistant',
    url: 'https://github.com/QuantumNous/new-api/issues/2858',
    evidence: 'S',
    date: '2026-11-15',
  },
  { fact: 'ids', url: 'https://github.com/editor-code-assistant/eca/issues/233', evidence: 'S', date: '2026-11-15' },
  { fact: 'names', url: 'https://github.com/mistralai/mistral-common', evidence: 'C', date: '2026-11-15' },
  { fact: 'system', url: 'https://github.com/mistralai/mistral-common', evidence: 'C', date: '2026-11-15' },
  { fact: 'unansweredCall', url: 'https://github.com/mistralai/mistral-common', evidence: 'C', date: '2026-11-15' },
  { fact: 'firstAssistant', url: 'https://github.com/mistralai/mistral-common', evidence: 'C', date: '2026-11-15' },
  { fact: 'legacyCalls', url: 'https://github.com/mistralai/mistral-common', evidence: 'C', date: '2026-11-18' },
  { fact: 'developer', url: 'https://github.com/mistralai/mistral-common', evidence: 'C', date: '2026-11-15' },
  { fact: 'emptyMessage', url: 'https://github.com/solbrowse/extension/issues/16', evidence: 'S', date: '2026-11-15' },
  { fact: 'emptyCalls', url: 'https://github.com/mistralai/mistral-common', evidence: 'I', date: '2026-11-15' },
  { fact: 'malformedInput', url: 'https://github.com/mistralai/mistral-common', evidence: 'I', date: '2026-11-15' },
  {
    fact: 'malformedInput',
    url: 'https://github.com/local-inference-lab/vllm/issues/684',
    evidence: 'S',
    date: '2026-11-16',
  },
  {
    fact: 'foreignFields',
    url: 'https://github.com/charmbracelet/crush/issues/1590',
    evidence: 'S',
    date: '2026-11-16',
  },
  {
    fact: 'foreignFields',
    url: 'https://github.com/nomtek/mistralai_client_dart/issues/44',
    evidence: 'S',
    date: '2026-11-16',
  },
  {
    fact: 'toolNames',
    url: 'https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py',
    evidence: 'C',
    date: '2026-11-17',
  },
]
