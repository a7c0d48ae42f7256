import type { ProviderFact } from '../../facts/fact.ts'

const limits = 'https://github.com/aws-samples/generative-ai-use-cases/issues/1685'

/** Limits of media, documents, tools and windows. */
export const limitFacts: readonly ProviderFact[] = [
  {
    id: 'br-tool-name',
    rule: 'The name of a tool has letters, digits, _ and -, at most 64 of them.',
    words:
      "`{k} validation errors detected: Value '{v}' at 'toolConfig.tools.{K}.member.toolSpec.name' failed to satisfy constraint: Member must have length less than or equal to 64 / Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+` (K from 1)",
    evidence: 'S',
    sources: [
      'https://github.com/openclaw/openclaw/issues/12892',
      'https://github.com/awslabs/agent-plugins/issues/131',
    ],
  },
  {
    id: 'br-document-count',
    rule: 'A request has at most five documents.',
    words: "`You can't include more than 5 documents in a request.`",
    evidence: 'S',
    sources: [limits],
  },
  {
    id: 'br-document-names',
    rule: 'No two documents have the same name.',
    words: "`Messages can't contain duplicate document names.`",
    evidence: 'S',
    sources: [limits],
  },
  {
    id: 'br-document-text',
    rule: 'A message with a document has a text as well.',
    words: '`A text block must be included when using documents.`',
    evidence: 'S',
    sources: ['https://github.com/archestra-ai/archestra/pull/4220'],
  },
  {
    id: 'br-media-count',
    rule: 'Claude up to 4.5 takes at most 20 images and documents.',
    words: '`The model returned the following errors: too many images and documents: {i} + {d} > 20`',
    evidence: 'S',
    sources: ['https://github.com/cline/cline/issues/1844', 'https://github.com/boto/boto3/issues/4632'],
  },
  {
    id: 'br-image',
    rule: 'Claude takes images as at home: 5 MB of base64, sides of 8000 pixels, or 2000 if there are more than 20.',
    words:
      '`The model returned the following errors: messages.{N}.content.{K}.image.source.bytes: image exceeds 5 MB maximum: {b} bytes > 5242880 bytes`, and as an-image-side and an-image-side-many',
    evidence: 'S',
    sources: [
      'https://github.com/aws-solutions-library-samples/accelerated-intelligent-document-processing-on-aws/issues/778',
      'https://github.com/aws-solutions-library-samples/accelerated-intelligent-document-processing-on-aws/issues/994',
    ],
  },
  {
    id: 'br-context',
    rule: 'The prompt fits into the window of Claude, see an-context for the windows and the estimate.',
    words: '`Input is too long for requested model.`',
    evidence: 'S',
    sources: [
      'https://github.com/aws-solutions-library-samples/accelerated-intelligent-document-processing-on-aws/issues/994',
    ],
  },
]
