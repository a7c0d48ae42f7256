import { testLaws } from './test-laws.ts'

testLaws('openai-responses')
