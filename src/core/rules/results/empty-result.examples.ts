import type { Examples } from '../example.ts'
import { anthropic, bedrock, chat, responses } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'an empty text',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Delete the build.'),
        chat.calls(chat.call('call_1', 'run', '{"command":"rm -r dist"}')),
        chat.result('call_1', ''),
      ],
    },
    {
      name: 'no content where the format needs none',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Delete the build.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'run', { command: 'rm -r dist' })),
        anthropic.userBlocks({ type: 'tool_result', tool_use_id: 'toolu_1' }),
      ],
    },
    {
      name: 'an empty list, as long as the call did not fail',
      format: 'bedrock',
      dialect: 'bedrock',
      messages: [
        bedrock.user(bedrock.text('Delete the build.')),
        bedrock.assistant(bedrock.toolUse('tooluse_1', 'run', { command: 'rm -r dist' })),
        bedrock.user({ toolResult: { toolUseId: 'tooluse_1', content: [], status: 'success' } }),
      ],
    },
    {
      name: 'an empty list among items',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Delete the build.'),
        responses.call('call_1', 'run', '{"command":"rm -r dist"}'),
        responses.output('call_1', []),
      ],
    },
  ],
  invalid: [
    {
      name: 'null',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Delete the build.'),
        chat.calls(chat.call('call_1', 'run', '{"command":"rm -r dist"}')),
        chat.result('call_1', null),
      ],
      finds: ['messages[2]'],
      after: [
        chat.user('Delete the build.'),
        chat.calls(chat.call('call_1', 'run', '{"command":"rm -r dist"}')),
        chat.result('call_1', ''),
      ],
    },
    {
      name: 'no output key',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Delete the build.'),
        responses.call('call_1', 'run', '{"command":"rm -r dist"}'),
        { type: 'function_call_output', call_id: 'call_1' },
      ],
      finds: ['input[2]'],
      after: [
        responses.user('Delete the build.'),
        responses.call('call_1', 'run', '{"command":"rm -r dist"}'),
        responses.output('call_1', ''),
      ],
    },
    {
      name: 'an empty text where text is required',
      format: 'openai-chat',
      dialect: 'minimax',
      messages: [
        chat.user('Delete the build.'),
        chat.calls(chat.call('call_1', 'run', '{"command":"rm -r dist"}')),
        chat.result('call_1', ''),
      ],
      finds: ['messages[2]'],
      after: [
        chat.user('Delete the build.'),
        chat.calls(chat.call('call_1', 'run', '{"command":"rm -r dist"}')),
        chat.result('call_1', '(no output)'),
      ],
    },
    {
      name: 'an empty list where text is required',
      format: 'openai-chat',
      dialect: 'minimax',
      messages: [
        chat.user('Delete the build.'),
        chat.calls(chat.call('call_1', 'run', '{"command":"rm -r dist"}')),
        chat.result('call_1', []),
      ],
      finds: ['messages[2]'],
      after: [
        chat.user('Delete the build.'),
        chat.calls(chat.call('call_1', 'run', '{"command":"rm -r dist"}')),
        chat.result('call_1', '(no output)'),
      ],
    },
    {
      name: 'no content where text is required',
      format: 'anthropic',
      dialect: 'minimax',
      messages: [
        anthropic.user('Delete the build.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'run', { command: 'rm -r dist' })),
        anthropic.userBlocks({ type: 'tool_result', tool_use_id: 'toolu_1' }),
      ],
      finds: ['messages[2].content[0]'],
      after: [
        anthropic.user('Delete the build.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'run', { command: 'rm -r dist' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', '(no output)')),
      ],
    },
    {
      name: 'null where text is required',
      format: 'anthropic',
      dialect: 'minimax',
      messages: [
        anthropic.user('Delete the build.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'run', { command: 'rm -r dist' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', null)),
      ],
      finds: ['messages[2].content[0]'],
      after: [
        anthropic.user('Delete the build.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'run', { command: 'rm -r dist' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', '(no output)')),
      ],
    },
    {
      name: 'an empty list of blocks where text is required',
      format: 'anthropic',
      dialect: 'minimax',
      messages: [
        anthropic.user('Delete the build.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'run', { command: 'rm -r dist' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', [])),
      ],
      finds: ['messages[2].content[0]'],
      after: [
        anthropic.user('Delete the build.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'run', { command: 'rm -r dist' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', '(no output)')),
      ],
    },
    {
      name: 'a blank text in a list of blocks',
      format: 'bedrock',
      dialect: 'bedrock',
      messages: [
        bedrock.user(bedrock.text('Delete the build.')),
        bedrock.assistant(bedrock.toolUse('tooluse_1', 'run', { command: 'rm -r dist' })),
        bedrock.user({ toolResult: { toolUseId: 'tooluse_1', content: [bedrock.text('')], status: 'success' } }),
      ],
      finds: ['messages[2].content[0]'],
      after: [
        bedrock.user(bedrock.text('Delete the build.')),
        bedrock.assistant(bedrock.toolUse('tooluse_1', 'run', { command: 'rm -r dist' })),
        bedrock.user({
          toolResult: { toolUseId: 'tooluse_1', content: [bedrock.text('(no output)')], status: 'success' },
        }),
      ],
    },
    {
      name: 'a blank text beside an image, which is content enough',
      format: 'bedrock',
      dialect: 'bedrock',
      messages: [
        bedrock.user(bedrock.text('Show me the chart.')),
        bedrock.assistant(bedrock.toolUse('tooluse_1', 'plot', {})),
        bedrock.user(
          bedrock.toolResult('tooluse_1', bedrock.text(' '), {
            image: { format: 'png', source: { bytes: 'iVBORw0KGgo=' } },
          }),
        ),
      ],
      finds: ['messages[2].content[0]'],
      after: [
        bedrock.user(bedrock.text('Show me the chart.')),
        bedrock.assistant(bedrock.toolUse('tooluse_1', 'plot', {})),
        bedrock.user(bedrock.toolResult('tooluse_1', { image: { format: 'png', source: { bytes: 'iVBORw0KGgo=' } } })),
      ],
    },
    {
      name: 'an error without content',
      format: 'bedrock',
      dialect: 'bedrock',
      messages: [
        bedrock.user(bedrock.text('Delete the build.')),
        bedrock.assistant(bedrock.toolUse('tooluse_1', 'run', { command: 'rm -r dist' })),
        bedrock.user({ toolResult: { toolUseId: 'tooluse_1', content: [], status: 'error' } }),
      ],
      finds: ['messages[2].content[0]'],
      after: [
        bedrock.user(bedrock.text('Delete the build.')),
        bedrock.assistant(bedrock.toolUse('tooluse_1', 'run', { command: 'rm -r dist' })),
        bedrock.user({
          toolResult: { toolUseId: 'tooluse_1', content: [bedrock.text('(no output)')], status: 'error' },
        }),
      ],
    },
    {
      name: 'an error without content, where only errors must have content',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Delete the build.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'run', { command: 'rm -r dist' })),
        anthropic.userBlocks({ type: 'tool_result', tool_use_id: 'toolu_1', content: '', is_error: true }),
      ],
      finds: ['messages[2].content[0]'],
      after: [
        anthropic.user('Delete the build.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'run', { command: 'rm -r dist' })),
        anthropic.userBlocks({ type: 'tool_result', tool_use_id: 'toolu_1', content: '(no output)', is_error: true }),
      ],
    },
    {
      name: 'an empty list where text or blocks are required',
      format: 'openai-chat',
      dialect: 'xai',
      messages: [
        chat.user('Delete the build.'),
        chat.textAndCalls('', chat.call('call_1', 'run', '{"command":"rm -r dist"}')),
        chat.result('call_1', []),
      ],
      finds: ['messages[2]'],
      after: [
        chat.user('Delete the build.'),
        chat.textAndCalls('', chat.call('call_1', 'run', '{"command":"rm -r dist"}')),
        chat.result('call_1', ''),
      ],
    },
  ],
}
