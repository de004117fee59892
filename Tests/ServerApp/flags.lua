-- The load of `load` and `openfeature`: requests for flags of 10,000 visitors in turn.
--
--     LOAD_DELAY=MILLISECONDS wrk -s flags.lua URL
--
-- With a delay, each connection waits that long on average before its next request.

wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"

local milliseconds = tonumber(os.getenv("LOAD_DELAY"))
local requests, count = {}, 0

-- Requests are made beforehand, since wrk shares the processor with the server.
function init()
   for visitor = 1, 10000 do
      requests[visitor] = wrk.format(nil, nil, nil, '{"context": {"targetingKey": "visitor-' .. visitor .. '"}}')
   end
end

function request()
   count = count % 10000 + 1
   return requests[count]
end

if milliseconds then
   function delay() return math.random(0, 2 * milliseconds) end
end
