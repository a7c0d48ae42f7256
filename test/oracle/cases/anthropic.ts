import { assistant, found, result, search, text, thinking, use, user } from './blocks.ts'
import type { Suite } from './case.ts'

const hi = user(text())
const step = [assistant(use('A')), user(result('A'))]

export const anthropicCases: Suite = {
  dialect: 'anthropic',
  format: 'anthropic',
  cases: [
    { fact: 'an-missing-result', refused: [hi, assistant(use('A')), hi], accepted: [hi, ...step, hi] },
    { fact: 'an-missing-result', name: 'at the tail', refused: [hi, assistant(use('A'))], accepted: [hi, ...step] },
    {
      fact: 'an-result-not-first',
      refused: [hi, assistant(use('A')), user(text(), result('A'))],
      accepted: [hi, assistant(use('A')), user(result('A'), text())],
    },
    {
      fact: 'an-result-not-first',
      name: 'results parted by text',
      refused: [hi, assistant(use('A'), use('B')), user(result('A'), text(), result('B'))],
      accepted: [hi, assistant(use('A'), use('B')), user(result('B'), result('A'), text())],
    },
    {
      fact: 'an-result-not-first',
      name: 'a user message between',
      refused: [hi, assistant(use('A')), hi, user(result('A'))],
      accepted: [hi, ...step, hi, hi],
    },
    { fact: 'an-orphan', refused: [user(result('A'))], accepted: [hi, ...step] },
    {
      fact: 'an-orphan',
      name: 'behind words',
      refused: [hi, assistant(text()), user(result('A'))],
      accepted: [hi, assistant(text(), use('A')), user(result('A'))],
    },
    {
      fact: 'an-dup-use',
      refused: [hi, assistant(use('A'), use('A')), user(result('A'))],
      accepted: [hi, assistant(use('A'), use('B')), user(result('A'), result('B'))],
    },
    {
      fact: 'an-dup-use',
      name: 'in a later turn',
      pedantic: true,
      refused: [hi, ...step, ...step],
      accepted: [hi, ...step, assistant(use('B')), user(result('B'))],
    },
    {
      fact: 'an-dup-result',
      refused: [hi, assistant(use('A')), user(result('A'), result('A'))],
      accepted: [hi, ...step],
    },
    {
      fact: 'an-id-pattern',
      refused: [hi, assistant(use('functions.bash:0')), user(result('functions.bash:0'))],
      accepted: [hi, assistant(use('functions_bash-0')), user(result('functions_bash-0'))],
    },
    {
      fact: 'an-input',
      refused: [hi, assistant({ ...use('A'), input: '{"city' }), user(result('A'))],
      accepted: [hi, ...step],
    },
    {
      fact: 'an-srv-id-pattern',
      refused: [hi, assistant(search('call_1'), found('call_1'), text())],
      accepted: [hi, assistant(search(), found(), text())],
    },
    { fact: 'an-srv-missing', refused: [hi, assistant(search()), hi], accepted: [hi, assistant(search())] },
    {
      fact: 'an-srv-mixed',
      refused: [hi, assistant(search(), use('A')), user(result('A'), text())],
      accepted: [hi, assistant(search(), use('A')), user(result('A')), assistant(found(), text()), hi],
    },
    {
      fact: 'an-srv-orphan',
      refused: [hi, assistant(found(), text())],
      accepted: [hi, assistant(search()), assistant(found(), text())],
    },
    { fact: 'an-use-in-user', pedantic: true, refused: [user(text(), use('A'))], accepted: [hi, ...step] },
    {
      fact: 'an-result-in-assistant',
      refused: [hi, assistant(use('A'), result('A')), hi],
      accepted: [hi, ...step],
    },
    {
      fact: 'an-content-after-use',
      pedantic: true,
      refused: [hi, assistant(use('A'), text()), user(result('A'))],
      accepted: [hi, assistant(text(), use('A')), user(result('A'))],
    },
    { fact: 'an-first-user', refused: [assistant(text()), hi], accepted: [hi, assistant(text()), hi] },
    { fact: 'an-empty-messages', refused: [], accepted: [hi] },
    { fact: 'an-empty-content', refused: [hi, assistant(), hi], accepted: [hi, assistant()] },
    { fact: 'an-empty-content', name: 'a string', refused: [{ role: 'user', content: '' }], accepted: [hi] },
    {
      fact: 'an-error-empty',
      refused: [hi, assistant(use('A')), user({ ...result('A'), content: '', is_error: true })],
      accepted: [hi, assistant(use('A')), user({ ...result('A'), content: '' })],
    },
    {
      fact: 'an-empty-text',
      pedantic: true,
      refused: [hi, assistant(text(''), use('A')), user(result('A'))],
      accepted: [hi, ...step],
    },
    { fact: 'an-ws-text', refused: [hi, assistant(text(' ')), hi], accepted: [hi, assistant(text()), hi] },
    { fact: 'an-trailing-ws', refused: [hi, assistant(text('x '))], accepted: [hi, assistant(text('x '), text('y'))] },
    { fact: 'an-role', refused: [hi, { role: 'tool', content: 'sunny' }], accepted: [hi] },
    { fact: 'an-system-role-old', refused: [{ role: 'system', content: 'be kind' }, hi], accepted: [hi] },
    {
      fact: 'an-think-sig-missing',
      refused: [hi, assistant(thinking(), text()), hi],
      accepted: [hi, assistant(thinking('c2ln'), text()), hi],
    },
    {
      fact: 'an-think-signature',
      refused: [hi, assistant(thinking(''), text()), hi],
      accepted: [hi, assistant(thinking('c2ln'), text()), hi],
    },
    {
      fact: 'an-think-last',
      refused: [hi, assistant(thinking('c2ln'))],
      accepted: [hi, assistant(thinking('c2ln')), hi],
    },
    {
      fact: 'an-OPEN-split',
      pedantic: true,
      refused: [hi, assistant(use('A'), use('B')), user(result('A')), user(result('B'))],
      accepted: [hi, assistant(use('A'), use('B')), user(result('A'), result('B'))],
    },
    {
      fact: 'an-OPEN-split',
      name: 'calls in two assistant messages',
      pedantic: true,
      refused: [hi, assistant(use('A')), assistant(use('B')), user(result('A'), result('B'))],
      accepted: [hi, assistant(text()), assistant(use('A'), use('B')), user(result('A'), result('B'))],
    },
  ],
}
