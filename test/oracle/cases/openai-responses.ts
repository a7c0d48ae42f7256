import type { Suite } from './case.ts'
import { fc, fco, item, msg, rs, says } from './items.ts'

const u = says('user')
const custom = item('custom_tool_call', { call_id: 'A', name: 'sh', input: 'ls' })
const customOutput = item('custom_tool_call_output', { call_id: 'A', output: 'x' })
const localShell = item('local_shell_call', { call_id: 'A', action: {} })
const shell = item('shell_call', { call_id: 'A', action: {} })
const computer = item('computer_call', { call_id: 'A', action: {} })
const patch = item('apply_patch_call', { call_id: 'A', operation: {} })
const screen = item('computer_call_output', { call_id: 'A', output: { type: 'computer_screenshot' } })
const toolSearch = (execution: string) => item('tool_search_call', { call_id: 'A', execution })
const long = 'c'.repeat(65)

export const openaiResponsesCases: Suite = {
  dialect: 'openai-responses',
  format: 'openai-responses',
  cases: [
    { fact: 'or-missing-output-fn', refused: [u, fc('A'), u], accepted: [u, fc('A'), u, fco('A')] },
    { fact: 'or-missing-output-custom', refused: [u, custom, u], accepted: [u, custom, customOutput] },
    {
      fact: 'or-missing-output-shell',
      name: 'a local shell, answered under id',
      refused: [u, localShell, item('local_shell_call_output', { id: 'A', output: 'x' })],
      accepted: [u, localShell, item('local_shell_call_output', { call_id: 'A', output: 'x' })],
    },
    {
      fact: 'or-missing-output-shell',
      name: 'a local shell, answered as a function or as another tool',
      refused: [u, localShell, customOutput],
      accepted: [u, localShell, fco('A')],
    },
    {
      fact: 'or-missing-output-shell',
      name: 'a shell',
      refused: [u, shell],
      accepted: [u, shell, item('shell_call_output', { call_id: 'A', output: [{ stdout: 'x' }] })],
    },
    { fact: 'or-missing-output-computer', refused: [u, computer, u], accepted: [u, computer, screen] },
    {
      fact: 'or-missing-output-patch',
      refused: [u, patch],
      accepted: [u, patch, item('apply_patch_call_output', { call_id: 'A', status: 'completed' })],
    },
    {
      fact: 'or-missing-output-search',
      name: 'of the client',
      refused: [u, toolSearch('client')],
      accepted: [u, toolSearch('server')],
    },
    { fact: 'or-orphan-fn', refused: [u, fco('A')], accepted: [u, fc('A'), fco('A')] },
    {
      fact: 'or-orphan-fn',
      name: 'unless the input refers to stored items',
      refused: [u, fco('A')],
      accepted: [u, item('item_reference', { id: 'fc_1' }), fco('A')],
    },
    {
      fact: 'or-orphan-custom',
      pedantic: true,
      refused: [u, fc('A'), customOutput],
      accepted: [u, custom, customOutput],
    },
    {
      fact: 'or-reasoning-no-follow',
      refused: [u, rs('rs_1'), u],
      accepted: [u, rs('rs_1'), rs('rs_2'), msg('msg_1')],
    },
    {
      fact: 'or-reasoning-no-follow',
      name: 'an empty message without id',
      refused: [u, rs('rs_1'), says('assistant', ''), fc('A', 'fc_1'), fco('A')],
      accepted: [u, rs('rs_1'), fc('A', 'fc_1'), fco('A')],
    },
    {
      fact: 'or-reasoning-no-follow',
      name: 'a follower without id',
      pedantic: true,
      refused: [u, rs('rs_1'), fc('A'), fco('A')],
      accepted: [u, item('reasoning', { summary: [] }), fc('A'), fco('A')],
    },
    {
      fact: 'or-dup-item',
      refused: [u, fc('A', 'fc_1'), fco('A'), fc('B', 'fc_1'), fco('B')],
      accepted: [u, fc('A', 'fc_1'), fco('A'), fc('B', 'fc_2'), fco('B')],
    },
    {
      fact: 'or-dup-output',
      refused: [u, fc('A'), fco('A'), fc('A'), fco('A')],
      accepted: [u, fc('A'), fco('A'), fc('B'), fco('B')],
    },
    { fact: 'or-id-prefix', refused: [u, fc('A', 'call_1'), fco('A')], accepted: [u, fc('A', 'fc_1'), fco('A')] },
    { fact: 'or-id-charset', refused: [u, fc('A', ''), fco('A')], accepted: [u, fc('A'), fco('A')] },
    {
      fact: 'or-id-charset',
      name: 'a trailing underscore',
      pedantic: true,
      refused: [msg('msg_')],
      accepted: [msg('msg_1')],
    },
    { fact: 'or-callid-len', name: 'too long', refused: [u, fc(long), fco(long)], accepted: [u, fc('A'), fco('A')] },
    { fact: 'or-callid-len', name: 'empty', refused: [u, fc(''), fco('')], accepted: [u, fc('A'), fco('A')] },
    { fact: 'or-role-tool', refused: [u, says('tool')], accepted: [u, says('developer')] },
    {
      fact: 'or-output-type',
      refused: [u, computer, { ...screen, output: 'x' }],
      accepted: [u, computer, screen],
    },
  ],
}
