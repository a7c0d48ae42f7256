import type { ProviderFact } from '../../facts/fact.ts'

export const facts: readonly ProviderFact[] = [
  {
    id: 'gl-1214',
    rule: "one generic error for all structure faults; one commenter's independent test: fires when there are zero user messages (the 2024 report also has none, and reuses one id).",
    words:
      '`messages 参数非法。请检查文档。` / English endpoint `The messages parameter is illegal. Please check the documentation.`',
    evidence: 'S',
    sources: [
      'https://github.com/MetaGLM/zhipuai-sdk-python-v4/issues/14',
      'https://github.com/anomalyco/opencode/issues/2557',
    ],
  },
  {
    id: 'gl-anthropic-system',
    rule: 'Anthropic endpoint, system role: HTTP 422.',
    words:
      '`{"detail":[{"type":"literal_error","loc":["body","messages",1,"role"],"msg":"Input should be \'user\' or \'assistant\'","input":"system","ctx":{"expected":"\'user\' or \'assistant\'"}}]}`',
    evidence: 'S',
    sources: ['https://github.com/zai-org/GLM-5/issues/74'],
  },
]
