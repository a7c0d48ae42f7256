import type { FactSource } from './source.ts'

export const sources: readonly FactSource[] = [
  {
    fact: 'unansweredCall',
    url: 'https://github.com/alibaba/spring-ai-alibaba/issues/914',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'orphanResult',
    url: 'https://github.com/philschmid/mcp-openai-gemini-llama-example/pull/5',
    evidence: 'S',
    date: '2026-11-15',
  },
  { fact: 'noUser', url: 'https://github.com/langfuse/langfuse/issues/10513', evidence: 'S', date: '2026-11-15' },
  {
    fact: 'developer',
    url: 'https://github.com/DayuanJiang/next-ai-draw-io/issues/304',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'emptyCalls',
    url: 'https://github.com/smallmain/vscode-unify-chat-provider/pull/65',
    evidence: 'T',
    date: '2026-11-15',
  },
  { fact: 'malformedInput', url: 'https://github.com/QwenLM/qwen-code/issues/606', evidence: 'S', date: '2026-11-15' },
  { fact: 'imageSideMin', url: 'https://github.com/QwenLM/qwen-code/issues/2505', evidence: 'S', date: '2026-11-16' },
  { fact: 'malformedResult', url: 'https://github.com/QwenLM/qwen-code/issues/879', evidence: 'S', date: '2026-11-17' },
]
