; consecution: after a: start -> got a region of view 0 of a, b (instances a, b) holds again
; If it does not hold, one of the 2 cases below can: each is a question that was asked.
(set-logic QF_BV)
(declare-fun |locked!0| () Bool)
(define-fun t1 () Bool (not |locked!0|))
(declare-fun |inside!1| () (_ BitVec 8))
(define-fun t4 () Bool (= |inside!1| #b00000001))
(define-fun t5 () Bool (not t4))
(define-fun t7 () Bool (= |inside!1| #b00000000))
(define-fun case1 () Bool (and true t1 |locked!0| t5 t7 true))
(define-fun t9 () Bool (bvule #b00000001 |inside!1|))
(define-fun case2 () Bool (and true t1 |locked!0| t4 t9 true))
(assert (or false case1 case2))
(check-sat)
