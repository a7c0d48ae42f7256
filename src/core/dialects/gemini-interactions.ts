import { type Dialect, lenientFacts } from '../dialect.ts'
import { misplacedCall, misplacedResponse, uncounted } from './gemini.refusals.ts'

const invalid = 'Request contains an invalid argument.'

/** Steps become turns of the same models, whose rules for turns are those of generateContent. */
export const geminiInteractions: Dialect = {
  id: 'gemini-interactions',
  title: 'Google Gemini Interactions',
  codec: 'gemini-interactions',
  facts: {
    ...lenientFacts,
    names: { lengthMax: Number.MAX_SAFE_INTEGER },
    malformedInput: 'refuse',
    malformedResult: 'refuse',
    firstAssistant: 'refuse-leading-calls',
  },
  doubtful: {
    unsignedThinking: 'refuse',
    emptyMessage: 'refuse-empty',
    emptyLast: 'refuse',
    blankText: 'refuse-empty',
    firstAssistant: 'refuse',
    lastAssistant: 'refuse',
  },
  models: [{ match: /gemini-([3-9]|\d\d)/, facts: { signature: 'skip_thought_signature_validator' } }],
  refusals: {
    'unanswered-call': uncounted,
    'interleaved-message': uncounted,
    'duplicate-result': uncounted,
    'wrong-first-role': misplacedCall,
    'misplaced-result': misplacedResponse,
    'early-result': misplacedResponse,
    'orphan-result': misplacedResponse,
    'unnamed-result': 'Missing name in content of type function_result',
    'empty-id': 'Missing call_id in content of type function_result',
    'malformed-result': "'result' must be a Struct, FunctionResultSubcontent[], or string",
    'unsigned-thinking': invalid,
    'unsigned-call': invalid,
  },
}
