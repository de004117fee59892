-- The load of `load` and `openfeature`: requests for flags of 10,000 visitors in turn.
--
--     LOAD_DELAY=MILLISECONDS wrk -s flags.lua URL
--
-- With a delay, each connection waits that long on average before its next request.

wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"

local count = 0
local milliseconds = tonumber(os.getenv("LOAD_DELAY"))

function request()
   count = count + 1
   return wrk.format(nil, nil, nil, '{"context": {"targetingKey": "visitor-' .. count % 10000 .. '"}}')
end

if milliseconds then
   function delay() return math.random(0, 2 * milliseconds) end
end
