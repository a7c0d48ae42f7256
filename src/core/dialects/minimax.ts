import { type Dialect, lenientFacts } from '../dialect.ts'

const unanswered = 'invalid params, tool call result does not follow tool call (2013)'

export const minimax: Dialect = {
  id: 'minimax',
  title: 'MiniMax',
  codec: 'openai-chat',
  facts: {
    ...lenientFacts,
    malformedInput: 'refuse',
    textAfterCall: 'refuse',
    textBesideResults: 'refuse',
    emptyMessage: 'refuse-empty',
    blankText: 'refuse-empty',
    contentBesideCalls: 'nothing-or-words',
    emptyResult: 'refuse',
    noUser: 'refuse',
  },
  doubtful: { emptyCalls: 'refuse', consecutiveUsers: 'refuse' },
  refusals: {
    'unanswered-call': 'invalid params, tool call and result not match (2013)',
    'interleaved-message': unanswered,
    'misplaced-result': unanswered,
    'text-beside-results': unanswered,
    'orphan-result': "invalid params, tool result's tool id({id}) not found (2013)",
    'duplicate-call-id': 'invalid params, duplicate tool_call id: {id}',
    'empty-id': 'invalid params, tool call id is invalid (2013)',
    'malformed-arguments': 'invalid params, invalid function arguments json string, tool_call_id: {id} (2013)',
    'empty-message': 'invalid params, chat content is empty (2013)',
    'empty-result': 'invalid params, chat content is empty (2013)',
    'missing-content': 'invalid params, chat content is empty (2013)',
    'missing-user': 'invalid params, chat content is empty (2013)',
    'broken-alternation': 'invalid params, tool call and result not match (2013)',
  },
}
