import type { ProviderFact } from '../../facts/fact.ts'

const vision = 'https://platform.claude.com/docs/en/build-with-claude/vision'

/** Limits of media, tools, cache marks, fields and windows. */
export const limitFacts: readonly ProviderFact[] = [
  {
    id: 'an-request-bytes',
    rule: 'A request has at most 32 MB. HTTP 413.',
    words: '`Request exceeds the maximum size`',
    evidence: 'S',
    sources: [
      'https://platform.claude.com/docs/en/api/errors',
      'https://github.com/anthropics/claude-code/issues/8092',
      'https://github.com/anthropics/anthropic-sdk-python/issues/938',
    ],
  },
  {
    id: 'an-extra',
    rule: 'Blocks have no fields but those that their type has: a mark on thinking, or what another client stored there.',
    words: '`messages.{N}.content.{K}.{type}.{field}: Extra inputs are not permitted`',
    evidence: 'S',
    sources: [
      'https://github.com/langchain-ai/langchain/issues/31208',
      'https://github.com/anthropics/claude-code/issues/4378',
      'https://github.com/router-for-me/CLIProxyAPI/issues/512',
    ],
  },
  {
    id: 'an-tool-name',
    rule: 'The name of a tool has letters, digits, _ and -, at most 128 of them (64 until 2025).',
    words: "`tools.{K}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`",
    evidence: 'S',
    sources: [
      'https://github.com/modelcontextprotocol/typescript-sdk/issues/413',
      'https://github.com/aws-samples/sample-apj-sup-sa/pull/137',
    ],
  },
  {
    id: 'an-tool-unique',
    rule: 'No tool is declared twice.',
    words: '`tools: Tool names must be unique.`',
    evidence: 'C',
    sources: [],
  },
  {
    id: 'an-tool-reference',
    rule: 'A tool reference in a result names a tool that is declared.',
    words: "`Tool reference '{name}' not found in available tools`",
    evidence: 'S',
    sources: [
      'https://github.com/anthropics/claude-code/issues/81863',
      'https://github.com/anthropics/claude-code/issues/79970',
    ],
  },
  {
    id: 'an-cache-count',
    rule: 'At most four blocks of tools, system and messages together have a cache mark.',
    words: '`A maximum of 4 blocks with cache_control may be provided. Found {n}.`',
    evidence: 'S',
    sources: [
      'https://github.com/tghamm/Anthropic.SDK/issues/50',
      'https://github.com/griffinmartin/opencode-claude-auth/issues/121',
    ],
  },
  {
    id: 'an-cache-empty',
    rule: 'An empty text has no cache mark.',
    words: '`messages.{N}.content.{K}.text: cache_control cannot be set for empty text blocks`',
    evidence: 'S',
    sources: ['https://github.com/anthropics/claude-code/issues/50082', 'https://github.com/askalf/dario/issues/1066'],
  },
  {
    id: 'an-image-media-type',
    rule: 'Images are JPEG, PNG, GIF or WebP.',
    words:
      "`messages.{N}.content.{K}.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`",
    evidence: 'S',
    sources: [
      'https://github.com/anthropics/claude-code/issues/3073',
      'https://github.com/anthropics/claude-code/issues/34517',
    ],
  },
  {
    id: 'an-image-true-type',
    rule: 'The declared type of an image is the one that its first bytes show.',
    words:
      '`messages.{N}.content.{K}.image.source.base64: The image was specified using the {a} media type, but the image appears to be a {b} image` (2025: `….data: Image does not match the provided media type {a}`)',
    evidence: 'S',
    sources: [
      'https://github.com/vybestack/llxprt-code/issues/2130',
      'https://github.com/anthropics/claude-code/issues/15746',
    ],
  },
  {
    id: 'an-image-bytes',
    rule: 'An image has at most 10,485,760 characters of base64 (5,242,880 until about June 2026).',
    words:
      '`messages.{N}.content.{K}.image.source.base64: image exceeds 10 MB maximum: {b} bytes > 10485760 bytes` (the words of 2025 with the limit of today)',
    evidence: 'D',
    sources: [
      vision,
      'https://github.com/kolega-ai/kolega-code/pull/354',
      'https://github.com/can1357/oh-my-pi/pull/10633',
      'https://github.com/lobehub/lobehub/pull/14711',
      'https://github.com/anthropics/claude-code/issues/2146',
    ],
  },
  {
    id: 'an-image-side',
    rule: 'No side of an image has more than 8000 pixels.',
    words:
      '`messages.{N}.content.{K}.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels`',
    evidence: 'S',
    sources: ['https://github.com/anthropics/claude-code/issues/4778', vision],
  },
  {
    id: 'an-image-side-many',
    rule: 'In a request with more than 20 images no side of any has more than 2000 pixels.',
    words:
      '`messages.{N}.content.{K}.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels`',
    evidence: 'S',
    sources: ['https://github.com/anthropics/claude-code/issues/52220', vision],
  },
  {
    id: 'an-media-count',
    rule: 'A request has at most 100 images and documents for models with a window of 200,000 tokens, 600 for others.',
    words: '`too many images and documents: {i} + {d} > {max}`',
    evidence: 'S',
    sources: ['https://github.com/anthropics/claude-code/issues/24541', vision],
  },
  {
    id: 'an-context',
    rule: 'The prompt fits into the window: 200,000 tokens up to the models of 4.5, or 1,000,000 with the beta for it; 1,000,000 from 4.6 on. Tokens are estimated: four characters each, media not counted.',
    words: '`prompt is too long: {n} tokens > {max} maximum`',
    evidence: 'S',
    sources: [
      'https://github.com/anthropics/claude-code/issues/11281',
      'https://platform.claude.com/docs/en/models/opus-4-6/overview',
    ],
  },
  {
    id: 'an-output',
    rule: 'The prompt and the answer that is asked for fit into the window together; estimated as an-context.',
    words:
      '``input length and `max_tokens` exceed context limit: {n} + {m} > {max}, decrease input length or `max_tokens` and try again``',
    evidence: 'S',
    sources: [
      'https://github.com/docker/docker-agent/issues/569',
      'https://github.com/continuedev/continue/issues/6080',
    ],
  },
]
