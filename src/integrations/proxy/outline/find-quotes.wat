;; Finds the quotes that delimit JSON strings: those not escaped by a backslash. 64 bytes at a time, by SIMD comparison and bit arithmetic.
;; `npm run assemble` writes find-quotes-module.ts from this file.
;;
;; Memory: page 0 is the text, page 1 room for the 64 bytes read past its end, pages 2 and 3 the positions found, two bytes each.
(module
  (memory (export "memory") 4)

  ;; The number of quotes in the first `length` bytes, plus 2^30 if `\ud` or `\uD` is among them, as in an escaped surrogate.
  ;; `open` is 1 if the first byte is escaped by a backslash before it.
  (func (export "findQuotes") (param $length i32) (param $open i32) (result i32)
    (local $bytes v128) (local $quote v128) (local $backslash v128)
    (local $u v128) (local $d v128) (local $lower v128) (local $surrogates v128)
    (local $quotes i64) (local $slashes i64) (local $carry i64) (local $follows i64) (local $odd i64) (local $runs i64)
    (local $at i32) (local $out i32)

    (local.set $quote (i8x16.splat (i32.const 0x22)))
    (local.set $backslash (i8x16.splat (i32.const 0x5c)))
    (local.set $u (i8x16.splat (i32.const 0x75)))
    (local.set $d (i8x16.splat (i32.const 0x64)))
    (local.set $lower (i8x16.splat (i32.const 0x20)))
    (local.set $carry (i64.extend_i32_u (local.get $open)))
    (local.set $out (i32.const 0x20000))

    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $length)))

        ;; One bit for each of the 64 bytes: is it a quote, is it a backslash?
        (local.set $bytes (v128.load offset=0 align=1 (local.get $at)))
        (local.set $quotes (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $bytes) (local.get $quote)))))
        (local.set $slashes (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $bytes) (local.get $backslash)))))
        (local.set $bytes (v128.load offset=16 align=1 (local.get $at)))
        (local.set $quotes (i64.or (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $bytes) (local.get $quote)))) (i64.const 16)) (local.get $quotes)))
        (local.set $slashes (i64.or (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $bytes) (local.get $backslash)))) (i64.const 16)) (local.get $slashes)))
        (local.set $bytes (v128.load offset=32 align=1 (local.get $at)))
        (local.set $quotes (i64.or (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $bytes) (local.get $quote)))) (i64.const 32)) (local.get $quotes)))
        (local.set $slashes (i64.or (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $bytes) (local.get $backslash)))) (i64.const 32)) (local.get $slashes)))
        (local.set $bytes (v128.load offset=48 align=1 (local.get $at)))
        (local.set $quotes (i64.or (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $bytes) (local.get $quote)))) (i64.const 48)) (local.get $quotes)))
        (local.set $slashes (i64.or (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $bytes) (local.get $backslash)))) (i64.const 48)) (local.get $slashes)))

        ;; Which bytes are escaped: those after an odd number of backslashes. Adding the backslashes that start a run at an odd position
        ;; carries through the run to the byte that follows it.
        (if (i32.eqz (i64.eqz (i64.or (local.get $slashes) (local.get $carry))))
          (then
            ;; A backslash, a `u` and a `d` in a row. Bytes 64 and 65 are the next ones.
            (local.set $surrogates
              (v128.or
                (local.get $surrogates)
                (v128.and
                  (i8x16.eq (v128.load offset=0 align=1 (local.get $at)) (local.get $backslash))
                  (v128.and
                    (i8x16.eq (v128.load offset=1 align=1 (local.get $at)) (local.get $u))
                    (i8x16.eq (v128.or (v128.load offset=2 align=1 (local.get $at)) (local.get $lower)) (local.get $d))))))
            (local.set $surrogates
              (v128.or
                (local.get $surrogates)
                (v128.and
                  (i8x16.eq (v128.load offset=16 align=1 (local.get $at)) (local.get $backslash))
                  (v128.and
                    (i8x16.eq (v128.load offset=17 align=1 (local.get $at)) (local.get $u))
                    (i8x16.eq (v128.or (v128.load offset=18 align=1 (local.get $at)) (local.get $lower)) (local.get $d))))))
            (local.set $surrogates
              (v128.or
                (local.get $surrogates)
                (v128.and
                  (i8x16.eq (v128.load offset=32 align=1 (local.get $at)) (local.get $backslash))
                  (v128.and
                    (i8x16.eq (v128.load offset=33 align=1 (local.get $at)) (local.get $u))
                    (i8x16.eq (v128.or (v128.load offset=34 align=1 (local.get $at)) (local.get $lower)) (local.get $d))))))
            (local.set $surrogates
              (v128.or
                (local.get $surrogates)
                (v128.and
                  (i8x16.eq (v128.load offset=48 align=1 (local.get $at)) (local.get $backslash))
                  (v128.and
                    (i8x16.eq (v128.load offset=49 align=1 (local.get $at)) (local.get $u))
                    (i8x16.eq (v128.or (v128.load offset=50 align=1 (local.get $at)) (local.get $lower)) (local.get $d))))))

            (local.set $slashes (i64.and (local.get $slashes) (i64.xor (local.get $carry) (i64.const -1))))
            (local.set $follows (i64.or (i64.shl (local.get $slashes) (i64.const 1)) (local.get $carry)))
            (local.set $odd
              (i64.and
                (i64.and (local.get $slashes) (i64.const 0xaaaaaaaaaaaaaaaa))
                (i64.xor (local.get $follows) (i64.const -1))))
            (local.set $runs (i64.add (local.get $odd) (local.get $slashes)))
            ;; The last run goes on in the next 64 bytes if the addition overflowed.
            (local.set $carry (i64.extend_i32_u (i64.lt_u (local.get $runs) (local.get $odd))))
            ;; quotes &= ~((0x5555... ^ runs << 1) & follows)
            (local.set $quotes
              (i64.and
                (local.get $quotes)
                (i64.xor
                  (i64.and
                    (i64.xor (i64.const 0x5555555555555555) (i64.shl (local.get $runs) (i64.const 1)))
                    (local.get $follows))
                  (i64.const -1))))))

        ;; The position of each quote: the lowest bit that is set, then without it.
        (loop $more
          (if (i32.eqz (i64.eqz (local.get $quotes)))
            (then
              (i32.store16 align=2
                (local.get $out)
                (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $quotes)))))
              (local.set $out (i32.add (local.get $out) (i32.const 2)))
              (local.set $quotes (i64.and (local.get $quotes) (i64.sub (local.get $quotes) (i64.const 1))))
              (br $more))))

        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br $next)))

    (i32.or
      (i32.shr_u (i32.sub (local.get $out) (i32.const 0x20000)) (i32.const 1))
      (i32.shl (v128.any_true (local.get $surrogates)) (i32.const 30)))))
