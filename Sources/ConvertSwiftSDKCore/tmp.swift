enum DecisionEngine {}
