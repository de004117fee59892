-- The load of `fleet`: visitors who come again and again, to whichever server is next, decide and convert. Some are new
-- at any time, so that there are conversions that count until the end.
--
--     wrk -s fleet.lua URL -- FOLDER NEWCOMERS
--
-- NEWCOMERS is how many visitors come for the first time, a second.
--
-- Writes the conversions that were answered as accepted to FOLDER/answered-fleet-THREAD, a line each, and prints
-- figures.

local threads = {}

function setup(thread)
   table.insert(threads, thread)
   thread:set("number", #threads)
end

function init(args)
   newcomers, start = tonumber(args[2]), os.time()
   count, refused = 0, 0
   math.randomseed(number)
   answered = assert(io.open(string.format("%s/answered-fleet-%d", args[1], number), "w"))
   answered:setvbuf("line")
end

function request()
   count = count + 1
   local known = newcomers * (os.time() - start + 1)
   local query = string.format("?visitor=f%d&customer_id=7&plan=insider", math.random(known))
   if count % 3 == 0 then return wrk.format("POST", "/track/review-written" .. query) end
   return wrk.format("GET", "/decide/one-page-checkout" .. query .. "&orders=3&location.path=%2Fcheckout")
end

function response(status, _, body)
   if status < 200 or status > 299 then
      refused = refused + 1
   elseif status == 202 then
      answered:write(body:match('"visitor":"([^"]+)"'), "\t", body:match('"goal":"([^"]+)"'), "\n")
   end
end

function done(summary, latency)
   local refused = 0
   for _, thread in ipairs(threads) do refused = refused + thread:get("refused") end
   local errors = summary.errors
   print("requests " .. summary.requests)
   print(string.format("rate %.0f", summary.requests / summary.duration * 1e6))
   print(string.format("p99_ms %.1f", latency:percentile(99) / 1e3))
   print("refused " .. refused)
   print("socket_errors " .. errors.connect + errors.read + errors.write + errors.timeout)
end
