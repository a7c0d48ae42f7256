import { testLaws } from './test-laws.ts'

testLaws('ag-ui')
