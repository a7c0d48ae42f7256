import { testLaws } from './test-laws.ts'

testLaws('gemini-interactions')
